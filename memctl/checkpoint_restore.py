"""Gives the memories of a checkpoint the state that they had when it was made."""

from dataclasses import dataclass, field
from typing import Any

from memctl.client import MemdClient
from memctl.client.errors import Conflict, Forbidden, Invalid, NotFound
from memctl.diagnostics import explain
from memctl.wire.history import VERSIONS_MAX, HistoryRequest, RestoreRequest
from memctl.wire.sessions import Checkpoint, CheckpointMemory


@dataclass(slots=True)
class Restoration:
    """The result of a restore; `gone`: memories deleted permanently, or changed too often to still have that version.

    `refused` are those that memd does not restore, with the reason: an equal active memory, a full quota, a blocked text.
    """

    restored: list[CheckpointMemory] = field(default_factory=list[CheckpointMemory])
    gone: list[CheckpointMemory] = field(default_factory=list[CheckpointMemory])
    refused: list[tuple[CheckpointMemory, str]] = field(default_factory=list[tuple[CheckpointMemory, str]])
    unchanged: int = 0

    def to_document(self, checkpoint_id: str, *, dry_run: bool) -> dict[str, Any]:
        """The result as JSON: ids in the order of the checkpoint."""
        return {
            "checkpointId": checkpoint_id,
            "restored": [memory.memory_id for memory in self.restored],
            "gone": [memory.memory_id for memory in self.gone],
            "refused": [{"id": memory.memory_id, "error": error} for memory, error in self.refused],
            "unchanged": self.unchanged,
            "dryRun": dry_run,
        }


async def restore_checkpoint(client: MemdClient, checkpoint: Checkpoint, *, dry_run: bool) -> Restoration:
    """Give each memory its version of the time when the checkpoint was made, unless it is the stored one."""
    done = Restoration()
    for memory in checkpoint.memories:
        await _restore(client, memory, checkpoint, done, dry_run=dry_run)
    return done


async def _restore(
    client: MemdClient, memory: CheckpointMemory, checkpoint: Checkpoint, done: Restoration, *, dry_run: bool
) -> None:
    try:
        versions = (await client.history.versions(memory.memory_id, HistoryRequest(limit=VERSIONS_MAX))).versions
    except (NotFound, Forbidden):
        done.gone.append(memory)
        return
    version = next((each for each in reversed(versions) if each.changed_at <= checkpoint.created_at), None)
    if version is None:
        done.gone.append(memory)
    elif version.blocked:
        done.refused.append((memory, "the content policy blocks its text"))
    elif version.fields == versions[-1].fields:
        done.unchanged += 1
    elif dry_run:
        done.restored.append(memory)
    else:
        request = RestoreRequest(version=version.version, reason=f"checkpoint {checkpoint.id}")
        try:
            await client.history.restore(memory.memory_id, request)
        except (Conflict, Forbidden, Invalid) as error:
            done.refused.append((memory, explain(error)))
        else:
            done.restored.append(memory)
