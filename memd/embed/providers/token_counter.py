"""Tokens of the WordPiece vocabulary of the built-in model, counted exactly and without a length limit."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

from memd.embed.providers import model_files


@cache
def wordpiece_counter(data_dir: Path) -> Callable[[str], int]:
    """A function from a text to its number of tokens, without the special ones.

    Raises EmbeddingUnavailableError when the built-in model is not installed.
    """
    files = model_files.find_model(data_dir)
    tokenizer = Tokenizer.from_file(str(model_files.checked_file(files, model_files.TOKENIZER)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
