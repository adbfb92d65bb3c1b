"""Whether a chunk is prose to recall or configuration that recall leaves out (contract 11.9).

A chunk that is wrongly called `config` can no longer be recalled, so the rules ask for a sign in the title *and* a text
that is configuration line by line. Questions and answers, contact sheets and price lists are content.
"""

import re
from collections.abc import Iterable
from typing import Final

from memd.domain.types import ChunkKind

_CONFIG_TAGS: Final = frozenset({"config", "config-header", "source-mirror"})
_FILE_TITLE: Final = re.compile(
    r"""(?:
      [\w.-]\.(?:ya?ml|toml|ini|cfg|cnf|conf|config|properties|env|service|tfvars|editorconfig)   # app.toml
    | (?:config|(?<![\w-])(?:package|composer|manifest|appsettings|settings|launch|tasks))[\w.-]*\.json[c5]?  # tsconfig.json
    | (?<![\w-])\.(?:env|[\w-]+rc|[\w-]*config|gitattributes|npmrc|gitmodules)(?:\.[\w-]+)*                    # .env.local
    | (?<![\w-])config(?:uration)?(?:[ ](?:file|header|block))?(?=\s*(?:$|\())                             # nginx config
    )(?![\w-])""",
    re.IGNORECASE | re.VERBOSE,
)
_FRONT_MATTER_TITLE: Final = re.compile(r"\bfront[ _-]?matter\b", re.IGNORECASE)
_SOURCE_TITLE: Final = re.compile(r"\s*source:", re.IGNORECASE)
_CONFIG_LINE: Final = re.compile(
    r"""\s*(?:
      (?:\#|//|;|/\*|\*/|<!--).*                                             # comment
    | [\[\]{}()<>,;]+                                                        # bracket
    | \[{1,2}[^\[\]]+\]{1,2}                                                 # [section]
    | (?:-\ +)?(?:export\ +)?(?:[\w.$/@-]+|"[^"]*"|'[^']*')\s*(?:=|:(?=\s|$)|(?<=["']):).*   # key: value, key = value
    )\s*""",
    re.VERBOSE,
)
_CONTINUATION: Final = re.compile(r"\s+\S.*|-\s.*")
_FENCES: Final = frozenset({"---", "+++"})


def chunk_kind(title: str, text: str, tags: Iterable[str] = (), given: ChunkKind | None = None) -> ChunkKind:
    """The given kind when there is one; else `config` by tag, by title and text together, or by text; else `content`."""
    if given is not None:
        return given
    is_config = (
        any(tag.strip().lower() in _CONFIG_TAGS for tag in tags)
        or (_has_config_title(title) and _is_configuration(text))
        or _is_front_matter(text)
    )
    return ChunkKind.CONFIG if is_config else ChunkKind.CONTENT


def _has_config_title(title: str) -> bool:
    """Whether the title looks like that of a config file or a front matter, or begins with `source:`."""
    return bool(_FILE_TITLE.search(title) or _FRONT_MATTER_TITLE.search(title) or _SOURCE_TITLE.match(title))


def _is_configuration(text: str) -> bool:
    """Whether the text has two lines or more and each is a key with a value, a comment, a bracket or a fence."""
    lines = _lines(text)
    return len(lines) >= 2 and all(line in _FENCES or _CONFIG_LINE.fullmatch(line) for line in lines)


def _is_front_matter(text: str) -> bool:
    """Whether the text is a fenced block of keys and values, list items and indented lines, and nothing else."""
    lines = _lines(text)
    if len(lines) < 3 or lines[0] not in _FENCES or lines[-1] != lines[0]:
        return False
    body = lines[1:-1]
    keys = [_CONFIG_LINE.fullmatch(line) is not None for line in body]
    return keys[0] and all(key or _CONTINUATION.fullmatch(line) for key, line in zip(keys, body, strict=True))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
