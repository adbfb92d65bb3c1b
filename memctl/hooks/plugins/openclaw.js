/** What was said in a message: its text, without the memory that was added to it. */
function said(message, added) {
  const blocks = Array.isArray(message.content) ? message.content : [{ type: "text", text: message.content }];
  const texts = blocks.filter((block) => block.type === "text" && typeof block.text === "string");
  return texts.map((block) => block.text).join("\n\n").replace(added, "").trim();
}

/** The messages of the user and the agent. */
function conversation(messages, added) {
  const rows = messages.map((message) => ({ role: message.role, content: said(message, added) }));
  return rows.filter((row) => (row.role === "user" || row.role === "assistant") && row.content);
}

const sessions = new Map();

function sessionOf(id) {
  if (!sessions.has(id)) sessions.set(id, { added: "", messages: [], folder: "" });
  return sessions.get(id);
}

/** Whether the user speaks, and not a schedule. */
function isUser(ctx) {
  return Boolean(ctx.sessionId) && !["heartbeat", "cron", "memory"].includes(ctx.trigger);
}

function fields(id, more) {
  return { session_id: id, cwd: sessionOf(id).folder, ...more };
}

async function storeSession(event, id, messages) {
  if (messages.length > 0) await hook(event, fields(id, { messages }));
}

export default {
  id: "memd",
  name: "memd",
  description: "Long-term memory: context in each prompt, each turn stored",
  register(api) {
    api.on("before_prompt_build", async (event, ctx) => {
      const prompt = event.currentUserMessage ?? event.prompt;
      if (!isUser(ctx) || !prompt.trim()) return;
      const session = sessionOf(ctx.sessionId);
      session.folder = ctx.workspaceDir ?? session.folder;
      const isNew = conversation(event.messages, "").length === 0;
      const asked = fields(ctx.sessionId, { hook_event_name: "before_prompt_build", prompt_id: ctx.runId, prompt });
      const texts = await Promise.all([isNew ? hook("session-start", asked) : "", hook("prompt", asked)]);
      session.added = texts.filter(Boolean).join("\n\n");
      return session.added ? { prependContext: session.added } : undefined;
    });
    api.on("agent_end", async (event, ctx) => {
      if (!isUser(ctx) || !event.success) return;
      const session = sessionOf(ctx.sessionId);
      session.messages = conversation(event.messages, session.added);
      const answer = session.messages.at(-1);
      if (answer?.role !== "assistant") return;
      await hook("turn-end", fields(ctx.sessionId, { prompt_id: ctx.runId, last_assistant_message: answer.content }));
    });
    api.on("before_compaction", async (event, ctx) => {
      if (!isUser(ctx)) return;
      const session = sessionOf(ctx.sessionId);
      const messages = event.messages ? conversation(event.messages, session.added) : session.messages;
      await storeSession("compaction", ctx.sessionId, messages);
    });
    api.on("session_end", async (event) => {
      if (!sessions.has(event.sessionId)) return;
      await storeSession("session-end", event.sessionId, sessionOf(event.sessionId).messages);
      sessions.delete(event.sessionId);
    });
  },
};
