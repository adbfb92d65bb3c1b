"""mem0's README quickstart with only the import changed, and the methods that programs written for mem0 call."""

import sys
import types
from typing import Any

prompts: list[str] = []


class Completions:
    """A model that notes its prompt and answers with a sentence."""

    def create(self, *, model: str, messages: list[dict[str, str]]) -> Any:
        prompts.append(messages[0]["content"])
        message = types.SimpleNamespace(content=f"Fine, says {model}.")
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=message)])


class OpenAI:
    def __init__(self) -> None:
        self.chat = types.SimpleNamespace(completions=Completions())


def run_quickstart(readme: str, questions: list[str]) -> None:
    """Run the program of mem0's README; its `input` is a list of questions."""
    program = readme.replace("from mem0 import Memory", "from memctl.integrations.mem0 import Memory")
    assert program.count("memctl") == 1
    sys.modules["openai"] = types.ModuleType("openai")
    sys.modules["openai"].OpenAI = OpenAI  # type: ignore[attr-defined]
    left = iter([*questions, "exit"])
    exec(program, {"__name__": "__main__", "input": lambda _prompt: next(left)})  # noqa: S102 - mem0's README


def methods() -> None:
    from memctl.integrations.mem0 import Memory

    memory = Memory.from_config({"vector_store": {"provider": "qdrant"}})
    messages = [
        {"role": "system", "content": "You are helpful."},
        {"role": "user", "content": "I am allergic to shellfish."},
        {"role": "assistant", "content": "I will keep that in mind."},
    ]
    added = memory.add(messages, user_id="m-ann", metadata={"topic": "food", "level": 3})["results"]
    assert [(each["memory"], each["event"]) for each in added] == [("I am allergic to shellfish.", "ADD")]
    assert (
        memory.add(messages, user_id="m-ann", metadata={"topic": "food", "level": 3})["results"][0]["event"] == "UPDATE"
    )
    assert len(memory.add(messages, user_id="m-ann", run_id="r1", infer=False)["results"]) == 2
    memory.add("Bob likes shellfish.", user_id="m/bob é")
    found = memory.search("shellfish allergy", filters={"user_id": "m-ann"}, top_k=5)["results"]
    assert found[0]["memory"] == "I am allergic to shellfish."
    assert found[0].keys() >= {"id", "memory", "hash", "metadata", "score", "created_at", "updated_at", "user_id"}
    assert "Bob likes shellfish." not in [each["memory"] for each in found]
    assert len(memory.search("shellfish", user_id="m-ann", limit=1)["results"]) == 1
    everything = memory.get_all(filters={"user_id": "m-ann"})["results"]
    assert len(everything) == 3
    runs = memory.get_all(filters={"user_id": "m-ann", "run_id": "r1"})["results"]
    assert {each["run_id"] for each in runs} == {"r1"}
    assert len(runs) == 2
    food = memory.get_all(filters={"user_id": "m-ann", "topic": "food", "level": {"gte": 2}})["results"]
    assert [each["metadata"]["level"] for each in food] == [3]
    one = food[0]["id"]
    memory.update(one, data="I am allergic to shellfish and nuts.")
    changed = memory.get(one)
    assert changed is not None
    assert changed["memory"] == "I am allergic to shellfish and nuts."
    assert changed["metadata"] == {"topic": "food", "level": 3}
    memory.delete(one)
    assert memory.get(one) is None
    events = memory.history(one)
    assert (events[0]["event"], events[-1]["event"]) == ("ADD", "DELETE"), events
    assert ("I am allergic to shellfish.", "I am allergic to shellfish and nuts.") in [
        (each["old_memory"], each["new_memory"]) for each in events
    ]
    for wrong in (lambda: memory.delete(one), lambda: memory.search("x", filters={}), lambda: memory.add("x")):
        try:
            wrong()
        except ValueError:
            continue
        raise AssertionError("nothing was refused")
    memory.delete_all(user_id="m-ann")
    assert memory.get_all(user_id="m-ann")["results"] == []
    assert len(memory.get_all(user_id="m/bob é")["results"]) == 1
    agents = memory.add("The build runs at noon.", agent_id="ci")["results"]
    assert memory.get_all(agent_id="ci")["results"][0]["id"] == agents[0]["id"]


if __name__ == "__main__":
    run_quickstart(sys.argv[1], ["My sister Ada lives in Bergen.", "Where does my sister Ada live?"])
    assert "My sister Ada lives in Bergen." not in prompts[0]
    assert "- My sister Ada lives in Bergen." in prompts[1], prompts[1]
    methods()
