"""Traces of requests and jobs for an OpenTelemetry collector; off unless MEMD_OTEL_ENDPOINT names one."""
