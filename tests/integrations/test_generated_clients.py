"""/openapi.json is read by the tools that people make clients with, and docs/typescript.md works as it is written."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integrations.conftest import ROOT, RunProgram
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
PAGE = (ROOT / "docs" / "typescript.md").read_text()


@pytest.fixture
def document(memd: Daemon, tmp_path: Path) -> str:
    """The file of the document that memd serves."""
    file = tmp_path / "openapi.json"
    with memd.http() as http:
        file.write_bytes(http.get("/openapi.json", headers={"Authorization": ""}).raise_for_status().content)
    return str(file)


def test_the_document_is_valid(run_program: RunProgram, document: str) -> None:
    assert "OK" in run_program("-m", "openapi_spec_validator", document)


def test_a_generated_python_client_compiles(run_program: RunProgram, document: str, tmp_path: Path) -> None:
    target = tmp_path / "client"
    generate = "from openapi_python_client.cli import app; app()"
    output = run_program("-c", generate, "generate", "--path", document, "--output-path", str(target), "--meta", "none")
    assert "Unable to parse" not in output
    run_program("-m", "compileall", "-q", str(target))
    models = {path.name for path in (target / "models").glob("*.py")}
    assert {"capture_request.py", "recall_reply.py", "memory_search_request.py"} <= models


def test_three_commands_make_a_typed_typescript_client(run_program: RunProgram, tmp_path: Path, memd: Daemon) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    (shell,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    (program,) = re.findall(r"```ts\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "agent.mts").write_text(program)
    commands = shell.strip().splitlines()
    assert len(commands) == 3
    for command in commands:
        environment = os.environ | {"ADDRESS": memd.url}
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, command + done.stdout + done.stderr
    node = str(shutil.which("node"))
    assert "The ferry to Harwich leaves at 19:40." in run_program(str(tmp_path / "agent.mjs"), python=node)
    (tmp_path / "agent.mts").write_text(program.replace('title: "Ferry"', "title: 7"))
    wrong = subprocess.run(["sh", "-c", commands[2]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "not assignable to type 'string'" in wrong.stdout
