import pytest

from memd.domain.chunks.kinds import chunk_kind
from memd.domain.types import ChunkKind

YAML = """# served by the gateway
server:
  host: 0.0.0.0
  port: 8080
routes:
  - path: /health
    timeout: 5s"""
INI = """[database]
max_connections = 100
shared_buffers = 256MB
; tuned in March
"""
ENV = """APP_ENV=production
export DATABASE_URL=postgres://db/app
# secrets live elsewhere
"""
JSON = """{
  "name": "site",
  "scripts": {
    "build": "vite build"
  },
}"""
FRONT_MATTER = """---
title: Onboarding
tags:
  - people
  - hiring
date: 2026-03-01
---
"""
CONTACTS = """Anna Weber: +49 30 1234
Bob Stone: +44 20 9876
Front desk: reception@example.org"""
PRICES = """Basic: 9 EUR
Team: 29 EUR
Enterprise: on request"""
QUESTIONS = """Q: Which port does the service use?
A: 8080.
Q: Can it be changed?
A: Yes, in the settings."""
PROSE = """Set the port in the file first.
Then restart the service and check the log."""


@pytest.mark.rule("11.9 tag")
@pytest.mark.parametrize("tag", ["config", "config-header", "source-mirror", "Config"])
def test_a_tag_makes_configuration(tag):
    assert chunk_kind("Handbook", PROSE, ["docs", tag]) is ChunkKind.CONFIG


@pytest.mark.rule("11.9 tag")
@pytest.mark.parametrize("tag", ["configuration", "config-guide", "mirror"])
def test_other_tags_do_not(tag):
    assert chunk_kind("Handbook", PROSE, [tag]) is ChunkKind.CONTENT


@pytest.mark.rule("11.9 title and lines")
@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("gateway.yaml", YAML),
        ("deploy/values.yml (2/7)", YAML),
        ("postgresql.conf", INI),
        ("php.ini › database", INI),
        ("Nginx config", INI),
        ("Configuration (1/2)", INI),
        (".env.production", ENV),
        ("app.env", ENV),
        ("package.json", JSON),
        ("tsconfig.build.json", JSON),
        (".eslintrc", JSON),
        ("Front matter", "title: Onboarding\nauthor: Ana"),
        ("front-matter of guide.md", "---\ntitle: Onboarding\nauthor: Ana"),
        ("source: docs/setup.md", "path: docs/setup.md\nsha = 4f2a"),
        ("Source: wiki", "space: ENG\npage: 12"),
    ],
)
def test_a_config_title_with_a_text_of_keys_and_values_is_configuration(title, text):
    assert chunk_kind(title, text) is ChunkKind.CONFIG


@pytest.mark.rule("11.9 title and lines", "11.9 content")
@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Contacts", CONTACTS),
        ("Price list", PRICES),
        ("FAQ", QUESTIONS),
        ("Ports", YAML),
        ("Team notes", ENV),
    ],
)
def test_keys_and_values_under_another_title_are_content(title, text):
    assert chunk_kind(title, text) is ChunkKind.CONTENT


@pytest.mark.rule("11.9 title and lines")
@pytest.mark.parametrize("title", ["gateway.yaml", "How to edit config.toml", "source: interview", "Front matter"])
@pytest.mark.parametrize("text", [PROSE, f"{PROSE}\nport: 8080", f"port: 8080\n{PROSE}"])
def test_prose_under_a_config_title_is_content(title, text):
    assert chunk_kind(title, text) is ChunkKind.CONTENT


@pytest.mark.rule("11.9 title and lines")
def test_one_line_is_not_enough():
    assert chunk_kind("app.yaml", "port: 8080\n\n") is ChunkKind.CONTENT


@pytest.mark.rule("11.9 title and lines")
@pytest.mark.parametrize("title", ["config.yamlish notes", "Reconfiguring the team", "Open source: a history"])
def test_a_title_that_only_resembles_one_is_content(title):
    assert chunk_kind(title, YAML) is ChunkKind.CONTENT


@pytest.mark.rule("11.9 front matter")
@pytest.mark.parametrize("text", [FRONT_MATTER, f"\n{FRONT_MATTER}\n", "+++\ntitle = 'x'\n+++"])
def test_a_text_of_nothing_but_front_matter_is_configuration(text):
    assert chunk_kind("Onboarding", text) is ChunkKind.CONFIG


@pytest.mark.rule("11.9 front matter")
@pytest.mark.parametrize(
    "text",
    [
        f"{FRONT_MATTER}\nWelcome to the team.",
        "---\nA quotation between two rules.\n---",
        "---\n---",
        "---\ntitle: x\n+++",
        "---\ntitle: x\n---\nauthor: y\n---",
    ],
)
def test_front_matter_with_something_else_is_content(text):
    assert chunk_kind("Onboarding", text) is ChunkKind.CONTENT


@pytest.mark.rule("11.9 given")
def test_a_given_kind_wins_over_the_text():
    assert chunk_kind("app.yaml", YAML, ["config"], ChunkKind.CONTENT) is ChunkKind.CONTENT


@pytest.mark.rule("11.9 given")
def test_a_given_kind_wins_over_the_lack_of_signs():
    assert chunk_kind("Handbook", PROSE, [], ChunkKind.CONFIG) is ChunkKind.CONFIG


def test_blank_text_is_content():
    assert chunk_kind("app.yaml", " \n") is ChunkKind.CONTENT
