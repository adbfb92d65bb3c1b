"""The embedders, and the models that they run."""
