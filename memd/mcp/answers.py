"""The answer of a tool call as finished JSON: the SDK carries a stand-in, and the answer takes its place on the way out.

The SDK would check, copy and write a result several times over. What memd answers was checked when its wire model was
made, so it is written once; the envelope around it stays the SDK's.
"""

from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import to_json

_NO_CONTENT: Final = b'"content":[]'
_NO_STRUCTURE: Final = b'"structuredContent":{}'


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a tool call: texts for the model, the JSON of the endpoint as it is sent, and whether it failed."""

    texts: tuple[str, ...]
    structured: bytes
    failed: bool

    @property
    def stand_in(self) -> dict[str, Any]:
        """The result without its contents, in the newest form; the SDK shapes it for the client's protocol version."""
        return {"content": [], "structuredContent": {}, "isError": self.failed, "resultType": "complete"}

    def put_into(self, message: bytes) -> bytes:
        """The SDK's message around the stand-in, with the contents.

        In JSON no string holds a bare quotation mark, so the first place that looks like an empty list of contents is
        that list, and what stands behind the filled list is still the SDK's.
        """
        head, content, rest = message.partition(_NO_CONTENT)
        middle, structure, tail = rest.partition(_NO_STRUCTURE)
        if not (content and structure):
            raise RuntimeError("the SDK's message has no place for the answer")
        parts = to_json([{"type": "text", "text": text} for text in self.texts])
        return b"".join((head, content[:-2], parts, middle, structure[:-2], self.structured, tail))
