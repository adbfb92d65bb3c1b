"""A stylesheet that parses each source once for each theme.

Textual parses all of them again whenever a screen is first opened or the theme changes: a third of the time of either.
"""

from typing import ClassVar

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation

_Source = tuple[frozenset[tuple[str, str]], str, CSSLocation, bool, int, str]


class ParsedOnce(Stylesheet):
    """The rules of a source depend on its text and on the variables of the theme; a parsed rule never changes."""

    _parsed: ClassVar[dict[_Source, list[RuleSet]]] = {}

    def __init__(self, *, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._theme = frozenset(variables.items())

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take the variables of another theme."""
        super().set_variables(variables)
        self._theme = frozenset(variables.items())

    def reparse(self) -> None:
        """Apply the variables; a sheet that was parsed with the same ones is used as it is."""
        self.parse()

    def _parse_rules(
        self, css: str, read_from: CSSLocation, is_default_rules: bool = False, tie_breaker: int = 0, scope: str = ""
    ) -> list[RuleSet]:
        source = (self._theme, css, read_from, is_default_rules, tie_breaker, scope)
        rules = self._parsed.get(source)
        if rules is None:
            rules = super()._parse_rules(css, read_from, is_default_rules, tie_breaker, scope)
            self._parsed[source] = rules
        return rules
