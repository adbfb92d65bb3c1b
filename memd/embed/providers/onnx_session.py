"""Opening an ONNX graph on the CPU, one thread per call, without the telemetry of onnxruntime."""

import os
from pathlib import Path
from typing import Any

from memd.embed.providers.provider import EmbeddingUnavailableError

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
"""Read once, when the library is loaded. Without it, releases from 1.29 on write a device id into the user's cache folder
and report models, processors and run times to Microsoft; their function that disables telemetry comes too late."""

import onnxruntime  # noqa: E402 - after the variable

_ERRORS_ONLY = 3


def open_session(graph: Path) -> Any:
    """An inference session whose calls run on their caller's thread; callers share one copy of the weights.

    Raises EmbeddingUnavailableError when the graph cannot be loaded.
    """
    runtime: Any = onnxruntime  # the library is untyped
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return runtime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library's own exception types have no common public base
        raise EmbeddingUnavailableError(f"{graph} could not be loaded: {error}") from error
