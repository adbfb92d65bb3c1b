"""Memory for agents over the Model Context Protocol (contract 14): the same endpoints, as tools."""
