"""Structured logs on stderr: readable on a terminal, JSON elsewhere; never contents, keys or queries."""

import logging
import sys

import structlog


def configure(level: str) -> None:
    """Set up structlog, and send what libraries log the same way."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    renderer = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(
        level=max(number, logging.WARNING), stream=sys.stderr, format="%(levelname)s %(name)s %(message)s"
    )
