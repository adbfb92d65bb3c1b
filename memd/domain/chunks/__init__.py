"""Documents of knowledge bases: splitting, kinds of chunks, import batches."""
