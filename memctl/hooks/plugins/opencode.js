/** What was said in a message: its text parts, without those that hooks and the agent added. */
function said(parts) {
  const texts = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
  return texts.map((part) => part.text).join("\n\n").trim();
}

export const Memd = async ({ client, directory }) => {
  const known = new Set();
  const children = new Map();

  /** Whether a session belongs to a subagent, which talks to the agent and not to the user. */
  async function isChild(session) {
    if (!children.has(session)) {
      const reply = await client.session.get({ path: { id: session } });
      children.set(session, Boolean(reply.data?.parentID));
    }
    return children.get(session);
  }

  async function messages(session) {
    const reply = await client.session.messages({ path: { id: session } });
    return (reply.data ?? []).filter((message) => said(message.parts));
  }

  function fields(session, more) {
    return { session_id: session, cwd: directory, ...more };
  }

  async function storeSession(event, session) {
    const rows = (await messages(session)).map(({ info, parts }) => ({ role: info.role, content: said(parts) }));
    await hook(event, fields(session, { messages: rows }));
  }

  async function storeTurn(session) {
    const last = (await messages(session)).findLast(({ info }) => info.role === "assistant");
    if (last && last.info.time.completed && !last.info.summary) {
      const answer = { prompt_id: last.info.parentID, last_assistant_message: said(last.parts) };
      await hook("turn-end", fields(session, answer));
    }
  }

  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = said(parts);
      if (!prompt || (await isChild(sessionID))) return;
      const asked = fields(sessionID, { hook_event_name: "chat.message", prompt_id: message.id, prompt });
      const isNew = !known.has(sessionID) && !(await messages(sessionID)).some(({ info }) => info.id !== message.id);
      known.add(sessionID);
      const texts = await Promise.all([isNew ? hook("session-start", asked) : "", hook("prompt", asked)]);
      texts.filter(Boolean).forEach((text, number) => {
        const id = `${message.id.replace(/^msg/, "prt")}memd${number}`;
        parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
      });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      if (known.has(sessionID)) await storeSession("compaction", sessionID);
    },
    event: async ({ event }) => {
      if (event.type === "session.idle" && known.has(event.properties.sessionID)) {
        await storeTurn(event.properties.sessionID);
      }
    },
    dispose: async () => {
      await Promise.all([...known].map((session) => storeSession("session-end", session)));
    },
  };
};
