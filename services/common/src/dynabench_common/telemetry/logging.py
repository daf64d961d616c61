"""Structured logs: one JSON object a line, with request, trace and span ids where they exist."""

import logging
import re
import sys
from typing import Any

import structlog
from opentelemetry import trace

API_TOKEN = re.compile(r"dbt_[A-Za-z0-9_-]{20,}")


def configure_logging(service: str, level: str = "INFO") -> None:
    """Send every log line of this process to standard error as JSON that names the service."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_service(service),
        _add_trace,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
                _mask_tokens,
            ],
        )
    )
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level)
    logging.getLogger("kafka").setLevel(logging.ERROR)
    # A few lines each time a consumer joins its group: without them a join that hangs leaves no trace.
    logging.getLogger("kafka.coordinator").setLevel(logging.INFO)
    # Callers choose the content of headers; the library would log some of them.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _mask_tokens(_logger: object, _method: str, line: Any) -> str:
    """Take API tokens out of a whole line, wherever they came from: a path, a header, an exception's text."""
    masked: str = API_TOKEN.sub("dbt_***", line)
    return masked


def _add_service(service: str) -> structlog.typing.Processor:
    def add(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        event["service"] = service
        return event

    return add


def _add_trace(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = f"{context.trace_id:032x}"
        event["span_id"] = f"{context.span_id:016x}"
    return event


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return a logger whose events are constant names with fields."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger
