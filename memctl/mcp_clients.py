"""MCP clients that memd can be put into: where each keeps its settings, and what its entry for memd looks like."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEY_VARIABLE = "MEMCTL_API_KEY"
"""Shared files name this variable instead of holding a key."""


@dataclass(frozen=True, slots=True)
class Server:
    """memd as a client is to reach it: over HTTP with a key, or through `memctl mcp stdio`; for an end user or not."""

    url: str
    api_key: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    end_user: str | None = None
    query: str = ""

    @property
    def address(self) -> str:
        """The URL of the MCP endpoint, with the query that selects the listed tools."""
        return f"{self.url}/mcp{self.query}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers that a client sends in addition to the key."""
        return {} if self.end_user is None else {"X-Memd-User": self.end_user}


def stdio_entry(server: Server) -> dict[str, Any]:
    """The entry that starts `memctl mcp stdio`; a key of memctl's own settings stays there."""
    environment = {"env": dict(server.environment)} if server.environment else {}
    return {"command": server.command[0], "args": [*server.command[1:]], **environment}


@dataclass(frozen=True, slots=True)
class McpClient:
    """A program; `personal` and `shared` are its files, `table` the key of its servers, `entry` makes one of them.

    `entry` gets the server, and whether the file is shared; `stdio` makes the entry that starts `memctl mcp stdio`, which
    a program without HTTP always has.
    """

    title: str
    personal: Callable[[Path], Path]
    shared: Path | None
    table: str
    entry: Callable[[Server, bool], dict[str, Any]]
    afterwards: str
    speaks_http: bool = True
    stdio: Callable[[Server], dict[str, Any]] = stdio_entry


def _application_folder(home: Path) -> Path:
    """Where desktop programs keep their settings on this system."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", str(home / "AppData" / "Roaming")))
    return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")


def _folder(variable: str, home: Path, name: str) -> Path:
    named = os.environ.get(variable)
    return Path(named) if named else home / name


def _bearer(reference: str) -> Callable[[Server, bool], dict[str, str]]:
    """The header; in a shared file the key is a reference to the environment."""
    return lambda server, shared: {
        "Authorization": f"Bearer {reference if shared else server.api_key}",
        **server.headers,
    }


def _typed_http(reference: str) -> Callable[[Server, bool], dict[str, Any]]:
    header = _bearer(reference)
    return lambda server, shared: {"type": "http", "url": server.address, "headers": header(server, shared)}


def _cursor(server: Server, shared: bool) -> dict[str, Any]:
    return {"url": server.address, "headers": _bearer(f"${{env:{KEY_VARIABLE}}}")(server, shared)}


def _gemini(server: Server, shared: bool) -> dict[str, Any]:
    return {"httpUrl": server.address, "headers": _bearer(f"${{{KEY_VARIABLE}}}")(server, shared)}


def _copilot(server: Server, shared: bool) -> dict[str, Any]:
    return {**_typed_http(f"${{{KEY_VARIABLE}}}")(server, shared), "tools": ["*"]}


def _copilot_stdio(server: Server) -> dict[str, Any]:
    return {"type": "local", **stdio_entry(server), "tools": ["*"]}


def _windsurf(server: Server, shared: bool) -> dict[str, Any]:
    return {"serverUrl": server.address, "headers": _bearer("")(server, shared)}


def _opencode(server: Server, shared: bool) -> dict[str, Any]:
    headers = _bearer(f"{{env:{KEY_VARIABLE}}}")(server, shared)
    return {"type": "remote", "url": server.address, "enabled": True, "headers": headers}


def _opencode_stdio(server: Server) -> dict[str, Any]:
    environment = {"environment": dict(server.environment)} if server.environment else {}
    return {"type": "local", "command": [*server.command], "enabled": True, **environment}


def _codex(server: Server, shared: bool) -> dict[str, Any]:
    if shared:
        more = {"http_headers": server.headers} if server.headers else {}
        return {"url": server.address, "bearer_token_env_var": KEY_VARIABLE, **more}
    return {"url": server.address, "http_headers": _bearer("")(server, shared)}


CLIENTS: Mapping[str, McpClient] = {
    "claude-code": McpClient(
        "Claude Code",
        lambda home: _folder("CLAUDE_CONFIG_DIR", home, "") / ".claude.json",
        Path(".mcp.json"),
        "mcpServers",
        _typed_http(f"${{{KEY_VARIABLE}}}"),
        "start a new session, or look with /mcp",
    ),
    "claude-desktop": McpClient(
        "Claude Desktop",
        lambda home: _application_folder(home) / "Claude" / "claude_desktop_config.json",
        None,
        "mcpServers",
        lambda server, _shared: stdio_entry(server),
        "quit Claude and start it again",
        speaks_http=False,
    ),
    "codex": McpClient(
        "Codex",
        lambda home: _folder("CODEX_HOME", home, ".codex") / "config.toml",
        Path(".codex/config.toml"),
        "mcp_servers",
        _codex,
        "start a new session, or look with /mcp",
    ),
    "cursor": McpClient(
        "Cursor",
        lambda home: home / ".cursor" / "mcp.json",
        Path(".cursor/mcp.json"),
        "mcpServers",
        _cursor,
        "look in the settings under MCP",
    ),
    "vscode": McpClient(
        "VS Code",
        lambda home: _application_folder(home) / "Code" / "User" / "mcp.json",
        Path(".vscode/mcp.json"),
        "servers",
        _typed_http(f"${{env:{KEY_VARIABLE}}}"),
        "run `MCP: List Servers`",
        stdio=lambda server: {"type": "stdio", **stdio_entry(server)},
    ),
    "gemini-cli": McpClient(
        "Gemini CLI",
        lambda home: _folder("GEMINI_CLI_HOME", home, "") / ".gemini" / "settings.json",
        Path(".gemini/settings.json"),
        "mcpServers",
        _gemini,
        "start a new session, or look with /mcp",
    ),
    "copilot": McpClient(
        "Copilot CLI",
        lambda home: _folder("COPILOT_HOME", home, ".copilot") / "mcp-config.json",
        Path(".github/mcp.json"),
        "mcpServers",
        _copilot,
        "start a new session; `copilot mcp list` shows it",
        stdio=_copilot_stdio,
    ),
    "windsurf": McpClient(
        "Windsurf",
        lambda home: home / ".codeium" / "windsurf" / "mcp_config.json",
        None,
        "mcpServers",
        _windsurf,
        "refresh the MCP servers in the settings of Cascade",
    ),
    "zed": McpClient(
        "Zed",
        lambda home: _folder("XDG_CONFIG_HOME", home, ".config") / "zed" / "settings.json",
        None,
        "context_servers",
        lambda server, shared: {"url": server.address, "headers": _bearer("")(server, shared)},
        "look in the settings of the agent panel",
    ),
    "opencode": McpClient(
        "opencode",
        lambda home: _folder("XDG_CONFIG_HOME", home, ".config") / "opencode" / "opencode.json",
        Path("opencode.json"),
        "mcp",
        _opencode,
        "start a new session; `opencode mcp list` shows it",
        stdio=_opencode_stdio,
    ),
}
