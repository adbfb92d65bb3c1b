"""The reference pages say what the code does: settings, schedule, policy rules, endpoints, errors, dependencies."""

import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import PydanticUndefined

from memd import errors
from memd.access.endpoint import Endpoint
from memd.app import endpoints, open_endpoints
from memd.devices.pages import PAGES
from memd.domain.accounts.credits import ALLOWANCES, Allowance
from memd.domain.policy.content_policy import Action, evaluate
from memd.domain.ranking.messages import DEFAULT_MESSAGE_WEIGHTS
from memd.domain.schedule.timetable import Daily, When
from memd.domain.types import BlockReason, Policy
from memd.health.routes import OPEN_PATHS
from memd.memories.history.undo import ChangedSince
from memd.policy.parsing import _MATCH_KEYS, _RULE_KEYS, CHECKS
from memd.policy.rules import load_rules
from memd.schedule.registry import SCHEDULE
from memd.settings import Settings

ROOT = Path(__file__).parents[2]
SETTINGS, API = (ROOT / "docs" / name for name in ("settings.md", "api.md"))
PAGES_FOR_USERS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OTHER_VARIABLES = {"MEMD_CONFIG", "MEMD_EVAL_DIR", "MEMD_PIN", "MEMD_JWT_"}
NONE = "–"


def rows(page: Path, head: str) -> Iterator[list[str]]:
    """The cells of every table of a page whose head begins like this."""
    for table in re.findall(rf"^\| {re.escape(head)}.*\n\|[-|]+\n((?:\|.*\n)+)", page.read_text(), re.MULTILINE):
        for line in table.splitlines():
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def examples(page: Path) -> list[str]:
    """The contents of the TOML blocks of a page."""
    return re.findall(r"^```toml\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def plain(cell: str) -> str:
    return cell.strip("`")


def shown(default: Any) -> str:
    """A default as the page writes it: as in the environment."""
    if default in (None, [], {}):
        return NONE
    text = ",".join(default) if isinstance(default, list) else str(default)
    return f"`{text.lower() if isinstance(default, bool) else text}`"


def schedule_of(when: When) -> str:
    if isinstance(when, Daily):
        return when.text
    return f"{when.seconds // 3600} h" if when.seconds % 3600 == 0 else f"{when.seconds // 60} min"


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MEMD_")]:
        monkeypatch.delenv(name)


def test_every_setting_is_on_the_page_with_its_default_and_no_other() -> None:
    on_page = {name: default for name, default, *_ in rows(SETTINGS, "Setting |")}
    real = {f"`MEMD_{name.upper()}`": field for name, field in Settings.model_fields.items()}
    assert on_page.keys() == real.keys()
    assert [
        (name, on_page[name])
        for name, field in real.items()
        if field.default is not PydanticUndefined and on_page[name] != shown(field.default)
    ] == []


@pytest.mark.parametrize("row", [*rows(SETTINGS, "Setting |")], ids=lambda row: plain(row[0]))
def test_every_example_of_a_setting_can_be_set_and_changes_it(row: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    name, example = plain(row[0]), plain(row[-1])
    before = Settings()
    monkeypatch.setenv(name, example)
    field = name.removeprefix("MEMD_").lower()
    assert getattr(Settings(), field) != getattr(before, field)


def test_the_weights_of_message_search_are_those_of_the_page() -> None:
    on_page = {plain(part): float(weight) for part, weight, _ in rows(SETTINGS, "Part |")}
    assert on_page == asdict(DEFAULT_MESSAGE_WEIGHTS)


def test_the_example_file_holds_settings_only_and_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = examples(SETTINGS)[0]
    file = tmp_path / "memd.toml"
    file.write_text(text)
    monkeypatch.setenv("MEMD_CONFIG", str(file))
    settings = Settings()
    for name, value in tomllib.loads(text).items():
        assert getattr(settings, name) == value


def test_every_job_of_the_schedule_is_on_the_page_with_its_schedule() -> None:
    on_page = {plain(name): when for name, when, _does in rows(SETTINGS, "Job |")}
    assert on_page == {entry.name: schedule_of(entry.when) for entry in SCHEDULE}


def test_every_key_check_and_reason_of_a_policy_rule_is_explained() -> None:
    def keys(head: str) -> set[str]:
        return {key for cells in rows(SETTINGS, head) for key in re.findall(r"`(\w+)`", cells[0])}

    text = SETTINGS.read_text()
    assert keys("Key of a rule |") == _RULE_KEYS
    assert keys("Key of a match |") == _MATCH_KEYS
    assert [word for word in [*CHECKS, *BlockReason] if f"`{word}`" not in text] == []
    assert [rule.threat_id for rule in load_rules(None).rules if f"`{rule.threat_id}`" not in text] == []


def test_the_example_rules_do_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(examples(SETTINGS)[1])
    rules = load_rules(tmp_path)
    actions = {rule.threat_id: rule.action for rule in rules.rules}
    assert actions["encoded_payload"] is Action.FLAG
    assert "pii_iban" not in actions
    caught = evaluate(rules, "Plan", "Bluebird ships in May.").blocked
    assert caught is not None
    assert (caught.threat_id, caught.reason) == ("secret_project", BlockReason.ILLEGAL_ACTIVITY)
    assert evaluate(rules, "Garden", "A bluebird sat on the fence.").blocked is None
    assert evaluate(rules, "Plan", "Press release: Bluebird ships in May.").blocked is None


@pytest.mark.parametrize("page", PAGES_FOR_USERS, ids=lambda page: page.name)
def test_no_page_names_a_variable_that_does_not_exist(page: Path) -> None:
    named = set(re.findall(r"MEMD_[A-Z0-9_]+", page.read_text()))
    assert named - {f"MEMD_{name.upper()}" for name in Settings.model_fields} - OTHER_VARIABLES == set()


@pytest.mark.parametrize("page", PAGES_FOR_USERS, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", page.read_text()) if "://" not in target]
    assert [target for target in targets if not leads_somewhere(page, target)] == []


def leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    file = page.parent / path if path else page
    if not anchor:
        return file.exists()
    titles = re.findall(r"^#+ (.*)", file.read_text(), re.MULTILINE)
    return anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def per(endpoint: Endpoint) -> str:
    """The unit that the credits of an endpoint are counted by."""
    if endpoint.price is None:
        return ""
    return " per row" if endpoint.at_most_remainder else " per 100 chunks"


def scopes_of(endpoint: Endpoint) -> str:
    """`write or keys`, as the tables write it."""
    return " or ".join(scope for scope in (endpoint.scope, endpoint.alternative_scope) if scope)


def test_every_endpoint_is_on_the_page_with_its_credits_and_scope_and_no_other() -> None:
    on_page = {plain(name): (price, scope) for name, price, scope, _about in rows(API, "Endpoint |")}
    keyed = {one.name: (f"{one.credits}{per(one)}", scopes_of(one)) for one in endpoints()}
    free = [one.name for one in open_endpoints()]
    free += [f"{method} {path}" for method, path in PAGES] + [f"GET {path}" for path in OPEN_PATHS]
    assert on_page == keyed | dict.fromkeys(free, ("0", "none")) | {"POST /mcp": ("0", "read")}


def kinds_of(error: type[errors.MemdError]) -> Iterator[type[errors.MemdError]]:
    for kind in error.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_every_error_is_on_the_page_with_its_status() -> None:
    on_page = {(int(status), plain(error)) for status, error, *_ in rows(API, "Status |")}
    endpoints()  # loads the rooms, which have errors of their own
    known = {(error.status, error.error) for error in [errors.MemdError, *kinds_of(errors.MemdError)]}
    known -= {(ChangedSince.status, ChangedSince.error)}  # of a row that undo skips, never of a reply
    roots = {(errors.Conflict.status, errors.Conflict.error)}
    blocked, unnamed = (400, "Memory blocked: <reason> [<rule>]"), (400, errors.MemdError.error)
    assert on_page == known - roots - {unnamed} | {blocked}


def test_the_table_of_tiers_is_the_one_in_force() -> None:
    def texts(pick: str) -> list[str]:
        policies = [Policy.MANAGED_FREE, Policy.MANAGED_STARTER, Policy.MANAGED_PRO, Policy.MANAGED_ULTRA]
        allowances: list[Allowance] = [ALLOWANCES[policy] for policy in [*policies, Policy.SELF_HOSTED_UNMETERED]]
        values = [getattr(allowance, pick) for allowance in allowances]
        return ["no limit" if value is None else f"{value:,}" for value in values]

    on_page = {name: cells for name, *cells in rows(API, "| free")}
    assert on_page["credits per minute"] == texts("credits_per_minute")
    assert on_page["concurrent requests"] == texts("concurrent_requests")
    assert on_page["embeddings per UTC day"] == texts("embeddings_per_day")
    assert on_page["memories; messages"] == texts("memories") == texts("messages")
    assert on_page["message retention in days"] == texts("message_ttl_days")


def test_every_dependency_has_a_line_that_says_why() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values()]
    lists += project["dependency-groups"].values()
    names = {re.match(r"[\w-]+", line)[0] for listed in lists for line in listed}  # pyrefly: ignore[unsupported-operation]
    cells = " ".join(cells[0] for cells in rows(ROOT / "docs" / "decisions" / "0001-dependencies.md", "Library |"))
    assert {name for name in names if name not in re.split(r"[\s,]+", cells)} == set()
