"""The dialog that fills a knowledge base from files: a path, a progress bar, and the result."""

from pathlib import Path
from typing import ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, ProgressBar, Static

from memctl.diagnostics import CommandError
from memctl.text import one_line, printable
from memctl.wire.knowledge_bases import KnowledgeBaseRow

from ..app import Memtui
from ..file_import import Progress, import_files, reasons, sources_of
from ..presenters.failures import Failure


class FileImportScreen(ModalScreen[bool]):
    """Answers whether anything was sent; Esc stops, and the next import continues where this one stopped."""

    app = getters.app(Memtui)
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "stop", "Stop or close")]

    def __init__(self, base: KnowledgeBaseRow) -> None:
        super().__init__()
        self._base = base
        self._sent = False
        self._so_far: Progress | None = None

    def compose(self) -> ComposeResult:
        """Path, bar, words."""
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Static(f"Import into {printable(self._base.name)}: a file or a folder. Enter starts.", markup=False)
            yield Input(placeholder="./docs or handbook.pdf or chunks.jsonl", id="path")
            yield ProgressBar(id="bar", show_eta=True)
            yield Static(id="so-far", markup=False)
            yield Static(id="progress", markup=False)

    def on_mount(self) -> None:
        """Show the standard error of memctl's importer here."""
        self.query_one("#bar").display = False
        self.begin_capture_print(stdout=False)

    def on_print(self, event: events.Print) -> None:
        """Waiting for credits, trying again, and the like."""
        if event.text.strip():
            self.query_one("#progress", Static).update(one_line(event.text, 200))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Start, if there is anything at this path."""
        path = str(Path(event.value.strip()).expanduser())
        try:
            sources = sources_of(path) if event.value.strip() else []
        except CommandError as error:
            self._say(str(error))
            return
        if not sources:
            self._say("no files to import here")
            return
        event.input.disabled = True
        bar = self.query_one("#bar", ProgressBar)
        bar.display = True
        bar.update(total=len(sources), progress=0)

        async def send() -> None:
            progress = await import_files(self.app.client, self._base.id, path, self._report)
            self._say("\n".join([f"done: {progress}", *reasons(progress.summary), "Esc closes"]))

        async def run() -> None:
            await self.app.call_api(send, self._failed)

        self.run_worker(run, group="import", exclusive=True)

    def _report(self, progress: Progress) -> None:
        self._sent = self._sent or progress.summary.sent > 0
        self._so_far = progress
        self.query_one("#bar", ProgressBar).update(progress=progress.files)
        self._say(str(progress))

    def _failed(self, failure: Failure) -> None:
        self._say(f"{failure}\nWhat was sent is kept; import again to resume.")
        self.query_one("#path", Input).disabled = False

    def _say(self, text: str) -> None:
        self.query_one("#so-far", Static).update(printable(text))

    def action_stop(self) -> None:
        """Stop and close; what was acknowledged is kept."""
        if self._so_far is not None and self._so_far.files < self._so_far.of_files:
            self.app.toast(f"import stopped: {self._so_far}; import again to continue")
        self.dismiss(self._sent)
