"""The official Python SDK as a client of `s2s mcp`; one JSON object on standard output says what it saw.

Usage: client.py stdio MODE SCENARIO COMMAND [ARGUMENT ...]
       client.py http MODE SCENARIO URL TOKEN
MODE is auto (protocol 2026-07-28) or legacy (2025-11-25); SCENARIO is one of the functions at the end.
"""

import asyncio
import contextlib
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

TOPIC = "An API for partners"


async def person(context, params):
    """Whoever sits at the host: sees the question, and decides."""
    person.asked.append(params.message)
    return ElicitResult(action="accept", content={"choice": "decide", "text": "REST, with versioned paths"})


person.asked = []


@contextlib.asynccontextmanager
async def connected(transport, mode, where, asks):
    options = {"mode": mode, "read_timeout_seconds": 4}
    if asks:
        options["elicitation_callback"] = person
    if transport == "stdio":
        server = StdioServerParameters(command=where[0], args=where[1:], env=dict(os.environ), cwd=os.getcwd())
        async with Client(server, **options) as client:
            yield client
        return
    headers = {"authorization": f"Bearer {where[1]}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        async with Client(streamable_http_client(where[0], http_client=http), **options) as client:
            yield client


async def told(client, tool, arguments, **more):
    result = await client.call_tool(tool, arguments, **more)
    if result.is_error:
        raise RuntimeError(f"{tool}: {result.content[0].text}")
    return result.structured_content


async def waited(client, session, lines):
    """Waits as an agent does: short calls, again and again, each well within the client's own timeout."""

    async def progress(done, total, message):
        lines.append(message)

    while True:
        status = await told(
            client, "roundtable_wait", {"session": session, "seconds": 2}, progress_callback=progress
        )
        lines.append("returned")
        if status["status"] != "running":
            return status


async def whole(client):
    """A roundtable from its start to its document, with everything that can be listed."""
    tools = await client.list_tools()
    prompts = await client.list_prompts()
    begun = await told(client, "roundtable_start", {"topic": TOPIC})
    lines = []
    status = await waited(client, begun["session"], lines)
    result = await told(client, "roundtable_result", {"session": begun["session"]})
    resources = await client.list_resources()
    document = await client.read_resource(f"s2s://session/{begun['session']}/document")
    unknown = await client.call_tool("session_show", {"session": "../x"})
    return {
        "protocol": client.protocol_version,
        "tools": [tool.name for tool in tools.tools],
        "prompts": [prompt.name for prompt in prompts.prompts],
        "status": status["status"],
        "progress": lines,
        "decision": result["decision"],
        "resources": [str(resource.uri) for resource in resources.resources],
        "document": document.contents[0].text,
        "unknown": [unknown.is_error, unknown.content[0].text],
    }


async def answer(client):
    """A session that must ask a person, who is asked through this client."""
    begun = await told(client, "roundtable_start", {"topic": TOPIC})
    waits = await waited(client, begun["session"], [])
    settled = await client.call_tool("roundtable_answer", {"session": begun["session"]})
    ended = await waited(client, begun["session"], [])
    return {
        "protocol": client.protocol_version,
        "waits": waits["status"],
        "asked": person.asked,
        "refused": settled.content[0].text if settled.is_error else None,
        "ended": ended["status"],
        "session": begun["session"],
    }


async def main():
    transport, mode, scenario, *where = sys.argv[1:]
    scenarios = {"whole": (whole, False), "answer": (answer, True), "alone": (answer, False)}
    run, asks = scenarios[scenario]
    async with connected(transport, mode, where, asks) as client:
        seen = await run(client)
    print(json.dumps(seen))


asyncio.run(main())
