"""The conformance suite's fixtures that ask the client back before they answer, in one or more rounds."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.types import CallToolRequestParams, ClientCapabilities, GetPromptRequestParams

Wire = dict[str, Any]
Round = Mapping[str, Wire]


def _form(message: str, name: str, kind: str) -> Wire:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


_NAME: Final = _form("What is your name?", "name", "string")
_CONFIRM: Final = {"confirm": _form("Please confirm", "ok", "boolean")}
_ROOTS: Final = {"method": "roots/list", "params": {}}
_SAMPLE: Final = {
    "method": "sampling/createMessage",
    "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "What is the capital of France?"}}],
        "maxTokens": 100,
    },
}
CAPABILITY_TOOL: Final = "test_input_required_result_capabilities"
TOOLS: Final[Mapping[str, tuple[Round, ...]]] = {
    "test_input_required_result_elicitation": ({"user_name": _NAME},),
    "test_input_required_result_sampling": ({"capital_question": _SAMPLE},),
    "test_input_required_result_list_roots": ({"client_roots": _ROOTS},),
    "test_input_required_result_multiple_inputs": ({"user_name": _NAME, "greeting": _SAMPLE, "client_roots": _ROOTS},),
    "test_input_required_result_request_state": (_CONFIRM,),
    "test_input_required_result_tampered_state": (_CONFIRM,),
    "test_input_required_result_multi_round": (
        {"step1": _form("Step 1: What is your name?", "name", "string")},
        {"step2": _form("Step 2: What is your favorite color?", "color", "string")},
    ),
    CAPABILITY_TOOL: ({"user_name": _NAME, "greeting": _SAMPLE},),
}
PROMPTS: Final[Mapping[str, tuple[Round, ...]]] = {
    "test_input_required_result_prompt": (
        {"user_context": _form("What context should the prompt use?", "context", "string")},
    ),
}


def open_questions(
    context: ServerRequestContext[Any], params: CallToolRequestParams | GetPromptRequestParams
) -> Wire | None:
    """The open questions; None when everything is answered.

    The state between the rounds is the number of the round. The server's boundary seals it, and refuses what it has not
    sealed itself.
    """
    rounds = {**TOOLS, **PROMPTS}[params.name]
    number = int(params.request_state or 0)
    while number < len(rounds):
        answered = params.input_responses or {}
        wanted = {key: ask for key, ask in _askable(context, params.name, rounds[number]) if key not in answered}
        if wanted:
            return {"resultType": "input_required", "inputRequests": wanted, "requestState": str(number)}
        number += 1
    return None


def _askable(context: ServerRequestContext[Any], name: str, questions: Round) -> Iterator[tuple[str, Wire]]:
    """The questions that the client can answer, where the suite looks at that."""
    known = context.session.client_capabilities or ClientCapabilities()
    for key, question in questions.items():
        needed = question["method"].partition("/")[0]
        if name != CAPABILITY_TOOL or getattr(known, needed) is not None:
            yield key, question
