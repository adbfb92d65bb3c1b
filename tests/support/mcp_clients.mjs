// Lists and calls tools with both generations of the official TypeScript client; what it finds is printed as JSON.
const [address, key, callsText] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const about = { name: "test", version: "1" };

async function converse(Client, Transport, calls) {
  const client = new Client(about);
  await client.connect(new Transport(new URL(address), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  const results = [];
  for (const [name, sent] of calls) {
    const result = await client.callTool({ name, arguments: sent });
    results.push({ name, isError: result.isError ?? false, structuredContent: result.structuredContent });
  }
  await client.close();
  return { tools: tools.map((tool) => tool.name), results };
}

const { Client: OldClient } = await import("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport: OldTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
const [oldCalls, currentCalls] = JSON.parse(callsText);
const old = await converse(OldClient, OldTransport, oldCalls);
const current = await converse(Client, StreamableHTTPClientTransport, currentCalls);
process.stdout.write(JSON.stringify({ old, current }));
