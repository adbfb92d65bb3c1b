"""Rendering a set of channels as a condition: the one bridge between visibility and SQL."""

from typing import Any

from memd.domain.visibility import ChannelScope


def channel_condition(scope: ChannelScope, column: str, params: dict[str, Any], name: str = "scope") -> str:
    """The condition on `column` that holds exactly for the channels in `scope`; its values go into `params`.

    `name` keeps the parameters of several scopes in one statement apart.
    """
    if scope.everything:
        return "true"
    terms: list[str] = []
    if scope.absent:
        terms.append(f"{column} IS NULL")
    if len(scope.exact) == 1:
        terms.append(f"{column} = %({name}_exact)s")
        params[f"{name}_exact"] = scope.exact[0]
    elif scope.exact:
        terms.append(f"{column} = ANY(%({name}_exact)s)")
        params[f"{name}_exact"] = list(scope.exact)
    if scope.all_but is not None:
        terms.append(f"{column} !~ %({name}_all_but)s")
        params[f"{name}_all_but"] = scope.all_but
    return f"({' OR '.join(terms)})" if terms else "false"
