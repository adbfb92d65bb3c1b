"""An address that begins with https where memd speaks plain HTTP: the failure names the address that works."""

import asyncio

import pytest

from memctl.client import MemdClient, errors


async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()
    writer.close()
    await writer.wait_closed()


async def test_an_address_without_tls_says_what_to_try() -> None:
    plain = await asyncio.start_server(refuse, "127.0.0.1")
    port = plain.sockets[0].getsockname()[1]
    async with plain, MemdClient(f"https://127.0.0.1:{port}", None) as client:
        with pytest.raises(errors.NotReachable) as caught:
            await client.health.alive()
    assert str(caught.value).endswith(f"what listens there does not speak TLS; try http://127.0.0.1:{port}")
