"""The instruction set of the CPU, which decides in which form a quantised model keeps its weights."""

import sys
from functools import cache
from pathlib import Path

_CPU_INFO = Path("/proc/cpuinfo")
_VNNI = {"avx512_vnni", "avx_vnni"}


@cache
def has_byte_dot_product() -> bool:
    """Whether unsigned by signed bytes are multiplied and added without saturation (x86 with VNNI).

    onnxruntime is then three times as fast with signed weights as with unsigned ones. Without these instructions, its
    sums of signed weights saturate at 16 bits, which ruins the result. Only Linux says what the processor has.
    """
    return sys.platform == "linux" and bool(_VNNI & processor_flags(_CPU_INFO))


def processor_flags(cpu_info: Path) -> set[str]:
    """The feature flags of the first processor; none where the file does not list them."""
    try:
        lines = cpu_info.read_text("utf-8", "replace").splitlines()
    except OSError:
        return set()
    return next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set[str]())
