"""Whether a server answers: asked with a new connection, since the others may wait for a long statement."""

import re
from typing import Final

from psycopg import AsyncConnection, OperationalError

ANSWER_S: Final = 2
"""How long the server may take to answer."""


async def answers(conninfo: str) -> bool:
    """Whether the server answers at all: a refusal (too many clients, starting up) is an answer as well."""
    try:
        connection = await AsyncConnection.connect(conninfo, connect_timeout=ANSWER_S)
    except OperationalError as error:
        # A refused connection has no SQLSTATE; libpq quotes the severity and the text that the server has sent.
        return re.search(r" failed: \w+:  ", str(error)) is not None
    await connection.close()
    return True
