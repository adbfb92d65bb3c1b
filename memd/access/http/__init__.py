"""HTTP around a request: connection, parser, hosts, headers, replies and durations."""
