"""Whether a server answers: asked with a new connection, since the others may wait for a long statement.

`memd.db.connections.server_wait` asks the same with PQping, before anything is served: psycopg keeps the GIL during that call, so that
a silent server would stop the event loop for ANSWER_S.
"""

import re

from psycopg import AsyncConnection, OperationalError

from memd.db.connections.server_wait import ANSWER_S


async def answers(conninfo: str) -> bool:
    """Whether the server answers at all: a refusal (too many clients, starting up) is an answer as well."""
    try:
        connection = await AsyncConnection.connect(conninfo, connect_timeout=ANSWER_S)
    except OperationalError as error:
        # A refused connection has no SQLSTATE; libpq quotes the severity and the text that the server has sent.
        return re.search(r" failed: \w+:  ", str(error)) is not None
    await connection.close()
    return True
