"""The word-vector model: any text has a vector, languages meet, ten thousand texts are nothing."""

import numpy as np
import pytest

from memd.embed.providers.wordllama import WordLlamaEmbedder


@pytest.mark.parametrize("text", ["", "   ", "\n", "\x00", "\ud800", "👩‍👩‍👧", "x" * 100_000])
def test_any_text_has_a_finite_vector_of_length_one(wordllama: WordLlamaEmbedder, text: str) -> None:
    assert np.linalg.norm(wordllama.embed([text])[0]) == pytest.approx(1, abs=1e-5)


def test_texts_without_words_share_a_direction_and_leave_their_neighbours_alone(wordllama: WordLlamaEmbedder) -> None:
    rows = wordllama.embed(["", "red car", "", "", "blue sky", ""])
    np.testing.assert_allclose(rows[[0, 2, 3, 5]], 1 / 16)
    np.testing.assert_allclose(rows[[1, 4]], wordllama.embed(["red car", "blue sky"]), atol=1e-6)
    np.testing.assert_allclose(wordllama.embed([""]), np.full((1, 256), 1 / 16))


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("red automobile", "a fast red car", "a bowl of tomato soup"),
        ("Wo ist der Bahnhof?", "Der Bahnhof ist gleich hinter der Post.", "Heute gibt es Suppe."),
        ("где мои ключи", "ключи лежат на столе", "погода сегодня хорошая"),
    ],
)
def test_like_is_nearer_than_unlike(wordllama: WordLlamaEmbedder, query: str, near: str, far: str) -> None:
    vector, nearer, farther = wordllama.embed([query, near, far])
    assert vector @ nearer > vector @ farther + 0.1


def test_many_texts_have_the_vectors_that_they_have_alone(wordllama: WordLlamaEmbedder) -> None:
    texts = [f"memory {i} about {'tea' if i % 3 else 'coffee'} in room {i % 97}" for i in range(2_000)]
    rows = wordllama.embed(texts)
    assert rows.shape == (2_000, 256)
    for i in (0, 63, 64, 1_000, 1_999):
        np.testing.assert_allclose(rows[i], wordllama.embed([texts[i]])[0], atol=1e-6)
