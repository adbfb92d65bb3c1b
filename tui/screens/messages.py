"""Messages: channels and sessions at the side, an endless table of messages, search with time bounds, turns."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from memctl.when import epoch_ms
from memctl.wire.messages import MessageRow
from memctl.wire.sessions import ListSessionsRequest

from ..conversation_reader import ConversationReader
from ..periods import read_since, read_until
from ..presenters import messages as rows
from ..presenters.messages import ConversationKey, ConversationList
from ..presenters.search_hits import SearchHits
from ..widget_messages import EdgeReached, Highlighted, Opened
from ..widgets.pane import Pane
from ..widgets.row_table import Column, RowTable
from .framed import COPY_ID, COPY_TEXT, TableScreen
from .turn import TurnScreen

SESSIONS = 200
"""Sessions at the side, the last used ones; those of older messages appear when these are read."""
COLUMNS = (
    Column("time", 16, from_width=60),
    Column("who", 10),
    Column("", 4),
    Column("channel", 14, from_width=90),
    Column("text"),
)


class MessagesScreen(TableScreen):
    """Sessions and their messages, and the search over them."""

    TAB = "messages"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", key_display="/"),
        Binding("t", "turn", "Turn", tooltip="what was asked, and the answer"),
        Binding("p", "conversations", "Channels and sessions"),
        Binding("n", "newest", "Newest", show=False, tooltip="to the newest message"),
        Binding(
            "w", "weak", "Weak hits", show=False, tooltip="list hits that are barely related to the query, or hide them"
        ),
        COPY_TEXT,
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._conversations = ConversationList()
        self._hits: SearchHits | None = None
        self._around: int | None = None
        self._query = ""
        self._with_weak = False
        self._bounds: tuple[str | None, str | None] = None, None

    def body(self) -> ComposeResult:
        """Conversations, search fields, table, preview."""
        with Horizontal():
            yield OptionList(
                Option(rows.conversation_label(ConversationKey()), id=ConversationKey().key),
                id="conversations",
                classes="panel",
                compact=True,
                markup=False,
            )
            with Vertical():
                with Horizontal(classes="fields") as fields:
                    fields.border_title = "Search"
                    yield Input(placeholder="search by meaning and words", id="query", compact=True)
                    yield Input(placeholder="since, 2026-05-01", id="since", compact=True)
                    yield Input(placeholder="until", id="until", compact=True)
                yield RowTable(COLUMNS, id="table", title="Messages")
                yield Static(id="where", classes="heading", markup=False)
                yield Pane(id="message", title="Text")

    def on_mount(self) -> None:
        """Begin with everything, at the end."""
        self._reader = ConversationReader(self.client, ConversationKey())

    def load(self) -> None:
        """The newest messages, or the search again."""
        if self._hits is not None:
            self._search(0)
            return

        async def read() -> None:
            if self._around is None:
                await self._reader.newest()
            else:
                await self._reader.around(self._around)
                await self._reader.forward(self.now)
            self._show_conversation(-1 if self._around is None else self._nearest(self._around))
            summary = await self._reader.summary()
            if summary is not None:
                self._tell_where(rows.session_line(summary))

        async def read_sessions() -> None:
            request = ListSessionsRequest(all_channels=True, limit=SESSIONS)
            if self._conversations.learn_sessions((await self.client.sessions.list(request)).sessions):
                self._show_conversations()

        self.ask(read)
        self.ask(read_sessions, "sessions")

    def _nearest(self, moment: int) -> str | int:
        rows_there = self._reader.timeline.rows
        return min(rows_there, key=lambda row: abs(row.timestamp - moment)).id if rows_there else 0

    def _show_conversation(self, cursor: str | int) -> None:
        timeline = self._reader.timeline
        if self._conversations.learn(timeline.rows):
            self._show_conversations()
        self.table.show([rows.message_row(message) for message in timeline.rows], cursor)
        self._tell_where(rows.timeline_line(timeline))
        self.table.say_when_empty("No messages yet\nAgents log them; to add one: memctl log user TEXT")
        self.notice("")

    def _tell_where(self, text: str) -> None:
        self.query_one("#where", Static).update(text)

    def _show_conversations(self) -> None:
        side = self.query_one("#conversations", OptionList)
        conversations = self._conversations.in_order()
        labels = {
            conversation.key: rows.conversation_label(conversation, self._conversations.title(conversation))
            for conversation in conversations
        }
        side.clear_options().add_options(Option(label, id=key) for key, label in labels.items())
        side.highlighted = side.get_option_index(self._reader.conversation.key)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter a channel or a session."""
        conversation = next(
            (conversation for conversation in self._conversations.in_order() if conversation.key == event.option_id),
            ConversationKey(),
        )
        self._reader = ConversationReader(self.client, conversation)
        self._hits = self._around = None
        self.load()
        self.table.focus()

    def on_edge_reached(self, event: EdgeReached) -> None:
        """Go on in the direction in which the cursor wants to go."""
        if self._hits is not None:
            if event.direction > 0 and self._hits.more_from is not None:
                self._search(self._hits.more_from)
            return

        async def read() -> None:
            current_key = self.table.current_key
            added = await (self._reader.forward(self.now) if event.direction > 0 else self._reader.back())
            if added:
                self._show_conversation(current_key or 0)
                self.table.move_cursor(max(self.table.cursor_row + event.direction, 0))
            else:
                self._tell_where(rows.timeline_line(self._reader.timeline))

        self.ask(read, "edge")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search; without a query, go to where the bounds say."""
        event.stop()
        event.input.cursor_position = 0  # shows the beginning of a long query
        try:
            self._bounds = read_since(self._typed("since")), read_until(self._typed("until"))
            self._query = self._typed("query")
            self._around = None if self._query else self._first_moment()
        except ValueError as error:
            self.notice(f"{error} · change it and try again")
            return
        self._search(0)
        self.table.focus()

    def _typed(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    def _first_moment(self) -> int | None:
        """Where the bounds begin, epoch ms: at the earlier one, or else at the end of the later one."""
        since, until = self._bounds
        bound = since or until
        return None if bound is None else epoch_ms(bound, at_end=since is None)

    def _search(self, offset: int) -> None:
        query, (since, until) = self._query, self._bounds
        if not query:
            self._end_search()
            return

        async def read() -> None:
            reply = await self._reader.search(query, since, until, offset)
            hits = self._hits if self._hits is not None and offset else SearchHits(with_weak=self._with_weak)
            earlier = len(hits.shown)
            hits.add(reply)
            self._hits = hits
            self._show_hits(hits, earlier if len(hits.shown) > earlier else -1)

        self.ask(read)

    def _show_hits(self, hits: SearchHits, cursor: str | int) -> None:
        self.table.show([rows.message_row(hit) for hit in hits.shown], cursor)
        self._tell_where(hits.line)
        self.notice("")

    def _end_search(self) -> None:
        self._hits, self._query = None, ""
        self.query_one("#query", Input).value = ""
        self.load()

    def _message(self, key: str | None) -> MessageRow | None:
        shown: Sequence[MessageRow] = self._hits.shown if self._hits is not None else self._reader.timeline.rows
        return next((message for message in shown if message.id == key), None)

    def on_highlighted(self, event: Highlighted) -> None:
        """Show the message under the cursor in full."""
        message = self._message(event.key)
        self.query_one("#message", Pane).show(rows.message_text(message) if message else None)

    def on_opened(self, event: Opened) -> None:
        """From a hit to the conversation around it; from a message to its turn."""
        message = self._message(event.key)
        if message is not None and self._hits is not None:
            self._around = message.timestamp
            self._end_search()
        else:
            self.action_turn()

    def action_turn(self) -> None:
        """Show the whole turn of the message under the cursor."""
        message = self._message(self.table.current_key)
        if message is not None:
            self.app.push_screen(TurnScreen(self._reader, message))

    def action_search(self) -> None:
        """Fill in the search."""
        self.query_one("#query", Input).focus()

    def action_conversations(self) -> None:
        """Go to the list of channels and sessions."""
        self.query_one("#conversations", OptionList).focus()

    def action_newest(self) -> None:
        """Back to the end."""
        self._around = None
        self._end_search()

    def action_weak(self) -> None:
        """List the hits that are barely related to the query, or leave them out again."""
        self._with_weak ^= bool(self._query)
        if self._hits is not None:
            self._hits.with_weak = self._with_weak
            self._show_hits(self._hits, self.table.current_key or 0)

    def action_copy(self) -> None:
        """Put the text on the clipboard."""
        message = self._message(self.table.current_key)
        self.copy(message.content if message else None)

    def action_leave(self) -> None:
        """Leave a field, the search, or the stretch around a hit."""
        if self.focused is self.table and self._hits is not None:
            self._end_search()
        elif self.focused is self.query_one("#conversations"):
            self.table.focus()
        else:
            super().action_leave()
