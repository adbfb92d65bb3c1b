"""The part of an address that logs may hold: the template of its route, never the ids that clients put into a path."""

from starlette.routing import Route
from starlette.types import Scope


def route_template(scope: Scope) -> str | None:
    """The path of the route that serves a request, such as `/api/sessions/{sessionKey}`; None before or without one."""
    route = scope.get("route")
    return route.path if isinstance(route, Route) else None
