"""Checks what a command needs: config, address, server, key, versions, model, queue, clock, disk."""

import click

from memctl import output
from memctl.client import MemdClient
from memctl.diagnostics import ExitCode
from memctl.doctor_checks import State, run_checks
from memctl.options import Form, examples, forms, remote
from memctl.run import connection, data_dir, run

MARKS = {State.OK: "ok  ", State.WARNING: "warn", State.FAILED: "FAIL"}


@click.command(epilog=examples("memctl doctor", "memctl doctor --url https://memory.example.com --json"))
@remote
@forms()
def doctor(form: Form) -> None:
    """Check the connection to memd and the health of the server, and say how to fix problems."""
    target, folder = connection(), data_dir(click.get_current_context())

    async def action(client: MemdClient) -> ExitCode:
        findings = await run_checks(client, target, folder)
        if form is Form.JSON:
            sources = {"url": target.url, "urlSource": target.url_source, "keySource": target.key_source}
            checks = [
                {"check": each.check, "state": each.state, "ok": each.state is not State.FAILED, "found": each.found}
                | ({"fix": each.fix, "mend": each.fix} if each.fix else {})
                for each in findings
            ]
            output.document({**sources, "checks": checks})
        else:
            output.record(
                [("address", f"{target.url} (from: {target.url_source})"), ("key", f"from: {target.key_source}")]
            )
            for each in findings:
                output.say(f"{MARKS[each.state]}  {each.check:<9} {each.found}")
                if each.fix:
                    output.say(f"{'':15} → {each.fix}")
        return next((each.code for each in findings if each.state is State.FAILED), ExitCode.OK)

    run(action, needs_key=False)
