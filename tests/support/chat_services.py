"""The services of a test with a chat model behind them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx

from memd.access.rate_limits.ledger import Ledgers
from memd.context import Services
from memd.llm.chat import Chat
from memd.llm.chat_model import ChatModel
from tests.support.chat_server import ChatServer


@asynccontextmanager
async def with_chat_model(services: Services, server: ChatServer) -> AsyncGenerator[Services]:
    """The same services, asking the chat server."""
    async with httpx.AsyncClient() as client:
        chat = Chat(client, server.url, model="tiny", key=None, pause_s=0.001)
        yield replace(services, llm=ChatModel(chat, Ledgers("memory://", services.clock)))
