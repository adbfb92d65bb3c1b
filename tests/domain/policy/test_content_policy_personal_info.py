"""Contract 12: numbers that identify a person or open an account, keys, tokens and passwords.

Tokens are put together from their parts, so that no scanner takes this file for a leak.
"""

import string

import pytest

from memd.domain.policy.content_policy import Block, evaluate
from memd.domain.types import BlockReason
from memd.policy.rules import load_rules
from tests.support.policy_cases import cases

RULES = load_rules(None)
BODY = (string.ascii_letters + string.digits) * 4
HEX = "0123456789abcdef" * 4
JWT_HEAD = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
JWT_CLAIMS = "eyJpc3MiOiJodHRwczovL2xvZ2luLmFjbWUuaW8iLCJzdWIiOiI0MiIsImV4cCI6MTkwMDAwMDAwMH0"

BLOCKED = {
    "pii_ssn": [
        "SSN 123-45-6789",
        "my social is 001-01-0001.",
        "899-99-9999",
        "(665-12-3456)",
        "ssn:078\u201105\u20111120",
    ],
    "pii_payment_card": [
        "Visa 4111 1111 1111 1111, exp 12/29",
        "4222222222222",
        "5555-5555-5555-4444",
        "2223003122003222",
        "Amex 3782 822463 10005",
        "30569309025904",
        "6011111111111117",
        "3530111333300000",
        "6200000000000005",
        "6304000000000000",
        "order 1234 4111 1111 1111 1111",
        "\uff14\uff11\uff11\uff11 1111 1111 1111",
        "6212345678901234569",
    ],
    "pii_iban": [
        "IBAN: DE89 3704 0044 0532 0130 00",
        "GB82WEST12345698765432",
        "pay to fr1420041010050500013m02606 today",
        "NL91-ABNA-0417-1643-00",
        "IBAN NO93 8601 1117 947 BIC DNBANOKK",
        "MT84 MALT 0110 0001 2345 MTLC AST0 01S",
    ],
    "secret_private_key": [
        "-----BEGIN PRIVATE KEY-----\nMIIE",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----",
        "key = '-----BEGIN ENCRYPTED PRIVATE KEY-----'",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEF",
    ],
    "secret_api_token": [
        "aws_access_key_id = AKIA" + "IOSFODNN7QWERTYU",
        "AIza" + BODY[:35],
        "ghp_" + BODY[:36],
        "token github_pat_" + BODY[:60],
        "glpat-" + BODY[:20],
        "xoxb-" + "1234567890-" + BODY[:24],
        "https://hooks.slack.com/services/" + "T0AB12CD3/B0AB12CD3/" + BODY[:24],
        "sk_live_" + BODY[:24],
        "rk_test_" + BODY[:24],
        "OPENAI_API_KEY=sk-" + "proj-" + BODY[:48],
        "sk-ant-" + "api03-" + BODY[:80],
        "hf_" + BODY[:34],
        "gsk_" + BODY[:52],
        "npm_" + BODY[:36],
        "Authorization: Bearer eyJhbGciOi" + BODY[:60],
        "curl -H 'authorization: bearer " + HEX + "'",
        "1234567890:AA" + BODY[:33],
        "SG." + BODY[:22] + "." + BODY[:43],
        "aws_secret_access_key = " + BODY[:40],
        '"SecretAccessKey": "' + BODY[:40] + '"',
        "client secret abc8Q~" + BODY[:34],
        "Endpoint=sb://x/;SharedAccessKey=" + BODY[:43] + "=",
        "https://x.blob.core.windows.net/c?sv=2024&sig=" + BODY[:46] + "%3D",
        "sbp_" + HEX[:40],
        "glsa_" + BODY[:32] + "_1a2b3c4d",
        "session " + JWT_HEAD + "." + JWT_CLAIMS + "." + BODY[:43],
        "the db is postgres://app:S3cr-hunt9@db.internal/prod",
        "REDIS_URL=redis://:k9vLm22x@cache.prod.net:6379/0",
        "git clone https://oauth2:Tr0ub4dor@gitlab.internal/x.git",
        "MEMCTL_API_KEY=" + HEX,
        "my memd key is " + HEX,
        "export API_KEY='" + HEX + "'",
        '{"apiKey": "' + HEX + '"}',
    ],
}

FLAGGED = {
    "pii_government_id": [
        "Passport number: X1234567",
        "passport no. 123456789",
        "Driver's license D1234567",
        "driving licence number MORGA657054SM9IJ",
        "Tax ID 12-3456789",
        "tax number: 12 345 678 901",
        "National Insurance number QQ 12 34 56 C",
        "ITIN 912-70-1234",
    ],
    "secret_password": [
        "postgresql://user:password@localhost/db",
        "postgresql+psycopg://scott:tiger@db/test",
        "mysql://root:root@127.0.0.1/x",
        "postgres://app:S3cr-hunt9@example.com/app",
        "password: hunter2",
        "Password = S3cret!pass",
        "passphrase: correct horse battery staple",
        '{"password": "tr0ub4dor"}',
        "the wifi password: blue-Tiger-42",
        "pwd=letmein99",
    ],
}

STORED = {
    "pii_ssn": [
        "000-12-3456 and 666-12-3456 and 912-34-5678",
        "123-00-4567, 123-45-0000",
        "Ticket ABC-123-45-6789 is closed",
        "Call 555-123-4567 after nine",
        "part 123-45-67890",
        "2024-01-23-45-6789",
    ],
    "pii_payment_card": [
        "4111 1111 1111 1112",
        "1234567812345670",
        "62123456789012345676",
        "order 1234567890123456",
        "550e8400-e29b-41d4-a716-446655440000",
        "started at 1731234567890 ms",
        "channel 1087654321098765432",
        "ISBN 978-3-16-148410-0",
        "commit 4111111111111111aef",
        "https://example.com/posts/4111111111111111",
        "0.4111111111111111",
        "4111 1111 1111",
    ],
    "pii_iban": [
        "IBAN: DE89 3704 0044 0532 0130 01",
        "DE00 0000 0000 0000 0000 00",
        "order NR12ABCD34567890",
        "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "SKU AB12 CD34 EF56 GH78",
        "An IBAN has up to 34 characters and a checksum of mod 97.",
    ],
    "pii_government_id": [
        "The passport renewal takes six to eight weeks.",
        "passport photo 35x45 mm",
        "Licence: Apache-2.0, version 2004",
        "Tax year 2023/24 ends on 5 April",
        "The driver's licence expires 2027-05-01",
        "tax rate: 19 %",
    ],
    "secret_private_key": [
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "Never commit a file that has a BEGIN PRIVATE KEY header.",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "key = '-----BEGIN RSA PRIVATE KEY-----\\nXXXX\\n-----END RSA PRIVATE KEY-----'",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 someone@host",
    ],
    "secret_api_token": [
        "Authorization: Bearer <API_KEY>",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE_1",
        'headers = {"Authorization": f"Bearer {token}"}',
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "GitHub tokens start with ghp_ and have 40 characters.",
        "The bearer token authentication of RFC 6750",
        "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sk-learn-compatible-estimators-and-pipelines",
        "risk-assessment-of-the-new-payment-provider-2024",
        "req 550e8400-e29b-41d4-a716-446655440000 took 12 ms",
        "Authorization: Bearer abc123",
        "postgres://$USER:$PASSWORD@db.prod.net/app",
        "ssh://git@github.com:22/x.git and mailto:ann@mail.org",
        "http://localhost:8080/@scope/package",
        JWT_HEAD + ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ." + BODY[:43],
        JWT_HEAD + ".eyJub3QganNvbiBhdCBhbGwgfHx8fHx8." + BODY[:43],
        "aws_access_key_id = AKIA" + "IOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "memd-0.8.20.tar.gz sha256:" + HEX,
        "commit " + HEX + " of memd",
    ],
    "secret_password": [
        "Password policy: at least 12 characters, no rotation.",
        "password: required",
        "password = os.environ['DB_PASSWORD']",
        "password: ${DB_PASSWORD}",
        "password: string;",
        "Password: ********",
        "The password is checked on the server.",
        "password=<your password>",
        "password = getpass()",
        "password: str | None = None",
    ],
}

SHOWS = {
    "pii_ssn": pytest.mark.rule("12 pii_ssn"),
    "pii_payment_card": pytest.mark.rule("12 pii_payment_card"),
    "pii_iban": pytest.mark.rule("12 pii_iban"),
    "pii_government_id": pytest.mark.rule("12 pii_government_id"),
    "secret_private_key": pytest.mark.rule("12 secret_private_key"),
    "secret_api_token": pytest.mark.rule("12 secret_api_token"),
    "secret_password": pytest.mark.rule("12 secret_password"),
}


@pytest.mark.parametrize(("threat", "text"), cases(BLOCKED, SHOWS))
def test_a_number_or_key_is_blocked(threat, text):
    assert evaluate(RULES, "Note", text).blocked == Block(BlockReason.PERSONAL_INFO_EXPOSURE, threat)


@pytest.mark.parametrize(("threat", "text"), cases(FLAGGED, SHOWS))
def test_a_doubtful_number_or_password_is_stored_with_a_flag(threat, text):
    verdict = evaluate(RULES, "Note", text)
    assert verdict.blocked is None
    assert threat in verdict.flags


@pytest.mark.parametrize(("threat", "text"), cases(STORED, SHOWS))
def test_what_only_looks_alike_is_stored_without_a_flag(threat, text):
    verdict = evaluate(RULES, "Note", text)
    assert verdict.blocked is None
    assert verdict.flags == ()
