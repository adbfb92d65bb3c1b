"""Passwords and other secrets are never extracted, whoever states them; that one exists, and where, may be."""

from uuid import uuid4

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.types import MessageRole

SECRETS = (
    "My password is hunter2",
    "My password is swordfish.",
    'My new password is "correct horse battery"',
    "The wifi password is BlueSky99, in case guests ask.",
    "My PIN is 4711.",
    "The pin code for the door is 0815",
    "The staging token is ghp_1234567890abcdef.",
    "Remember that the API key is sk-abcdef1234567890abcd.",
    "password: hunter2",
    "Our alarm code is 2580.",
    "hunter2 is my password",
    "Log in as admin with password hunter22.",
    "I changed my password to Tr0ub4dor.",
    "The secret is xyzzy-44",
    "Use ghp_abcdefgh12345678 for the repo.",
    "My sister Eva Kern bought a house in Graz last year, and its door code is 4471.",
    "Mein Passwort: hunter2",
    "For payments use sk_test_51Habc in staging.",
    "Webhooks are signed with whsec_abcdef1234.",
    "Mein Passwort ist hunter2.",
    "Das WLAN-Passwort ist schneckenhaus.",
    "das pw für den router ist gartenzwerg7",
    "meine PIN ist 4471",
    "Der Zugangscode für die Tür lautet 0815.",
    "Das Wlanpasswort heisst schneckenhaus, bitte nicht weitersagen.",
    "Ich habe mein Kennwort auf Sommer2024 geändert.",
    "Die Geheimzahl der Karte ist 9931.",
    "4471 ist die PIN der Karte",
    "Unser API-Schlüssel ist abc123def",
    "Das Passwort vom Router lautet „blauer Elefant“.",
    "Merk dir bitte, dass der Türcode jetzt 2580 ist und der Alarmcode ist 1984#",
)
NO_SECRETS = (
    "The database password is kept in Vault under kv/prod/db.",
    "The API key rotates every 90 days.",
    "Our wifi password hint is the name of the boat.",
    "My password is too short.",
    "The token is valid for 3 days.",
    "The encryption key is 256 bits long.",
    "The secret is to add butter.",
    "Our access tokens expire after 15 minutes.",
    "Passwords are hashed with argon2.",
    "Our login page uses OAuth 2.0.",
    "My password manager is Bitwarden.",
    "The API key is stored in 1Password.",
    "Our tokens are JWTs signed with RS256.",
    "The security key is a YubiKey 5.",
    "Das Passwort liegt im Tresor.",
    "Das Passwort ist zu kurz.",
    "Die PIN ist vierstellig.",
    "Passwörter werden mit argon2 gehasht.",
    "Mein Passwort-Manager ist Bitwarden.",
    "Der Token ist 3 Tage gültig.",
    "Das Datenbankpasswort wird alle 90 Tage gewechselt.",
    "Der API-Schlüssel liegt in 1Password.",
    "Der Schlüssel liegt bei Lena.",
    "Mein Passwort muss mindestens 12 Zeichen haben.",
    "Der Quellcode ist 3000 Zeilen lang.",
    "Die Zugangsdaten sind bei Jonas.",
)
SPEAKERS = ((None, None), ("Ann", None), ("Ann", "Tom"))


def read(sentence: str, user: str | None, other: str | None) -> list[str]:
    answer = "What is your PIN 4711 of the door code for?"
    rows = (
        SourceMessage(uuid4(), MessageRole.ASSISTANT, answer, 1_000, 0, other),
        SourceMessage(uuid4(), MessageRole.USER, sentence, 2_000, 0, user),
        SourceMessage(uuid4(), MessageRole.ASSISTANT, "Noted.", 3_000, 0, other),
    )
    return [one.title + one.content for one in extract(ConversationWindow(None, None, rows))]


@pytest.mark.rule("11.6 secrets")
@pytest.mark.parametrize(("user", "other"), SPEAKERS)
@pytest.mark.parametrize("sentence", SECRETS)
def test_a_secret_is_never_extracted(sentence: str, user: str | None, other: str | None) -> None:
    assert contains_secret(sentence)
    assert read(sentence, user, other) == []
    around = f"I moved to Graz with my two sisters last month. {sentence} I was born in Linz in 1989."
    assert not any(contains_secret(one) for one in read(around, user, other))


@pytest.mark.parametrize("sentence", NO_SECRETS)
def test_what_does_not_tell_the_secret_may_be_kept(sentence: str) -> None:
    assert not contains_secret(sentence)
