"""Differences between settings files as they are shown: with secrets masked.

Settings of other programs hold keys, tokens and passwords, and terminals, logs and screen shares keep what is printed.
Masking is a matter of display: what is written never passes through it. In doubt it masks too much.
"""

import difflib
import re
from pathlib import Path
from typing import Final

MASK: Final = "…"
MEMD_KEY: Final = re.compile(r"\b[0-9a-f]{60}([0-9a-f]{4})\b|\beyJ[\w-]+\.[\w-]+\.[\w-]*([\w-]{4})(?![\w-])")
"""An API key (contract 1.6) or a JSON web token; its end is enough to recognise it."""
_LITERAL: Final = re.compile(
    r'"{3}(?:\\[\s\S]|[^\\])*?"{3}|"(?:\\.|[^"\\\n])*"' + r"|'{3}[\s\S]*?'{3}|'[^'\n]*'",
)
"""A string of JSON, JSON5 or TOML; only with three quotes does it have several lines."""
_BARE_NAME: Final = re.compile(r"([\w.-]+)\s*[:=][\s\[]*$")
_NAMES: Final = (
    r"keys?(?:[_-]?id)?|secrets?|tokens?|pass(?:word|wd|phrase)?|pwd|credentials?|auth(?:orization)?|bearer|cookie|dsn|pat"
    r"|sig(?:nature)?"
)
_SECRET_NAME: Final = re.compile(rf".*(?:{_NAMES})(?:[_-]?(?:\d+|value|json|base64|b64))?", re.IGNORECASE)
_NAMES_A_VARIABLE: Final = re.compile(r"env_?(?:var|key)", re.IGNORECASE)
"""Fields whose value is the name of an environment variable."""
_REFERENCE: Final = re.compile(r"(?:\w+ )?(?:\$?\{[^}]*\}|\$\w+|)")
"""A value that only refers to an environment variable."""
_LOGIN_OPTION: Final = r"(?<![\w-])(?:-u|--user|--proxy-user)"
"""Takes `name:password`; `docker run -u` takes two numbers instead, which are not secrets."""
_LOGIN: Final = re.compile(r"(?!\d+:\d+$)([^:/]+:).+", re.DOTALL)
_PEM: Final = re.compile(r"(-----BEGIN [A-Z0-9 ]+-----)([\s\S]*?)(?=-----END|\Z)")
_NUMBER: Final = re.compile(r"^(\s*[:=]\s*)[-+.\d][\w.+-]*")
_INSIDE: Final = (
    re.compile(
        rf"(-[\w.-]*(?:{_NAMES})[\s=]+|[\w.-]*(?:{_NAMES})(?:\\?[\"'])?\s*[:=]\s*(?:(?:Bearer|Basic) )?+)(?![\s$…{{[-])"
        r"(?:'[^'\n]*'|\\\".*?\\\"|(?:\\[^\"']|[^\s\"'&;\\])+)",
        re.IGNORECASE,
    ),
    re.compile(rf"({_LOGIN_OPTION}(?:[\s=]+\\?[\"']?|)(?!\$|\d+:\d+(?![^\s\"'\\]))[^\s:\"'/\\]+:)[^\s\"'\\]+"),
    re.compile(r"(://[^\s/:@\"']*:)[^\s/@\"']+(?=@)"),
    re.compile(r"(://)[^\s/:@\"']{8,}(?=@)"),
    re.compile(r"(://[^\s\"'?#]*/)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w=-]{20,}(?![\w.])"),
    re.compile(r"(\b(?:Bearer|Basic) )[^\s\"',${]{8,}", re.IGNORECASE),
    re.compile(r"\b(sk-|[prs]k_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|hf_|npm_|pypi-|gsk_)[\w-]{8,}"),
    re.compile(r"(?<![\w/.+-])()(?=\w*\d)(?=\w*[A-Za-z])\w{32,}(?![\w/-]|\.\w)"),
)
"""Secrets inside a value: options, variables, parameters; user, password and path of a URL; schemes; prefixes; random text."""


def masked(text: str) -> str:
    """The text of a JSON or TOML file with its secrets masked; lines stay lines."""
    shown: list[str] = []
    in_list: list[bool] = []
    name = before = ""
    end = 0
    for found in _LITERAL.finditer(text):
        quote = found[0][:3] if len(found[0]) > 5 and found[0][:3] in {'"""', "'''"} else found[0][0]
        between, literal = text[end : found.start()], found[0].removeprefix(quote).removesuffix(quote)
        end = found.end()
        shown.append(_masked_between(between, name))
        name = _enter(in_list, between, name)
        if re.match(r"\s*[:=]", text[end : end + 20]):
            name = literal
            shown.append(found[0])
            continue
        name = _name_of_value(between, name)
        option = before if between.strip() == "," else ""
        shown.append(f"{quote}{_masked_value(name, option, literal, secret=any(in_list))}{quote}")
        before = literal
    return "".join([*shown, _masked_between(text[end:], name)])


def _enter(in_list: list[bool], between: str, name: str) -> str:
    """Follow the objects that open and close; `in_list` says of each open one whether its name is that of a secret."""
    for bare, mark in re.findall(r"(?:([\w.-]+)\s*[:=]\s*)?([{}])", between):
        if mark == "{":
            in_list.append(_is_secret(bare or name))
            name = ""
        elif in_list:
            in_list.pop()
    return name


def _masked_between(between: str, name: str) -> str:
    """The text between two literals, without a number that is a secret by its name."""
    counts = name.lower().endswith("s")  # maxTokens: 4096
    return _masked_inside(_NUMBER.sub(rf"\1{MASK}", between) if _is_secret(name) and not counts else between)


def _name_of_value(between: str, name: str) -> str:
    """The name of the field that a value belongs to, from the text before it; values of a list share one."""
    if bare := _BARE_NAME.search(between):
        return bare[1]
    return "" if re.search(r"[\]{}]", between) else name


def _is_secret(name: str) -> bool:
    return bool(_SECRET_NAME.fullmatch(name)) and not _NAMES_A_VARIABLE.search(name)


def _masked_value(name: str, option: str, value: str, *, secret: bool) -> str:
    """A value without its secrets; `option` is the word before it in a list, `secret` says that it is in a secret object."""
    named = _is_secret(option if option.startswith("-") else name)
    if (named or secret) and not _REFERENCE.fullmatch(value):
        return without_memd_keys(value) if MEMD_KEY.search(value) else re.sub(r"[^\n]+", MASK, value)
    if re.fullmatch(_LOGIN_OPTION, option):
        return _LOGIN.sub(rf"\1{MASK}", value)
    return _masked_inside(value)


def _masked_inside(text: str) -> str:
    """A text without secrets that are recognisable by their context or by their form."""
    text = _PEM.sub(lambda found: found[1] + re.sub(r"[^\n]+", MASK, found[2]), without_memd_keys(text))
    for pattern in _INSIDE:
        text = pattern.sub(rf"\1{MASK}", text)
    return text


def without_memd_keys(text: str) -> str:
    """The text with nothing but the end of each key of memd."""
    return MEMD_KEY.sub(lambda found: f"{MASK}{found[1] or found[2]}", text)


def difference(path: Path, before: str, after: str) -> str:
    """The changes, line by line, with secrets masked; empty when nothing does."""
    shown: dict[str, str] = {}
    for text in (before, after):
        for line, hidden in zip(_lines(text), _lines(masked(text)), strict=True):
            if hidden != line or line not in shown:  # a line that is a secret anywhere is masked everywhere
                shown[line] = hidden
    lines = difflib.unified_diff(_lines(before), _lines(after), str(path), str(path), lineterm="", n=2)
    return "\n".join(line[:1] + shown.get(line[1:], line[1:]) for line in lines)


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
