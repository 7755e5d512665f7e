import type { EmbeddedAgent } from "../embedded-agent.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a client can ask for. Each returns the data of its answer. */
export const RPC_COMMANDS: Record<string, (agent: EmbeddedAgent, fields: Fields) => unknown> = {
  prompt: (agent, fields) => {
    const deliverAs = fields.deliverAs === "steer" ? "steer" : "followUp";
    const message = text(fields, "message");
    return new Promise<void>((resolve, reject) => {
      // Accepted, not finished: the events tell how it goes on.
      const options = { source: "rpc", deliverAs, onAccepted: resolve } as const;
      agent.prompt(message, options).then(resolve, reject);
    });
  },
  steer: async (agent, fields) => ({
    queuedId: await agent.steer(text(fields, "message"), { source: "rpc" }),
  }),
  follow_up: async (agent, fields) => ({
    queuedId: await agent.followUp(text(fields, "message"), { source: "rpc" }),
  }),
  get_queue: (agent) => ({ messages: agent.queue.list() }),
  edit_queued: (agent, fields) => ({
    edited: agent.queue.edit(text(fields, "queuedId"), text(fields, "message")),
  }),
  cancel_queued: (agent, fields) => ({ cancelled: agent.queue.cancel(text(fields, "queuedId")) }),
  abort: (agent) => agent.abort(),
  get_state: (agent) => ({
    model: agent.model,
    thinkingLevel: agent.thinkingLevel,
    isStreaming: !agent.isIdle,
    sessionFile: agent.session.getSessionFile(),
    sessionId: agent.session.getSessionId(),
    sessionName: agent.session.getSessionName(),
    pendingMessageCount: agent.queue.size,
    messageCount: agent.session.buildContext().messages.length,
  }),
  get_messages: (agent) => ({ messages: agent.session.buildContext().messages }),
  get_entries: (agent) => ({ entries: agent.session.getEntries() }),
  get_commands: (agent) => ({ commands: agent.commands }),
  set_model: async (agent, fields) => {
    const model = agent.findModel(text(fields, "provider"), text(fields, "modelId"));
    if (!model || !(await agent.setModel(model))) throw new Error("The model cannot be used.");
    return { model };
  },
  set_thinking_level: (agent, fields) =>
    agent.setThinkingLevel(
      oneOf(fields, "level", ["off", "minimal", "low", "medium", "high", "xhigh"]),
    ),
  compact: async (agent, fields) => {
    const { customInstructions } = fields;
    const { result, error } = await agent.compact(
      typeof customInstructions === "string" ? customInstructions : undefined,
    );
    if (!result) throw new Error(error ?? "The compaction failed.");
    return result;
  },
  set_goal: async (agent, fields) => {
    await agent.setGoal(fields.objective === null ? null : text(fields, "objective"));
    return { goal: agent.goal };
  },
  change_goal: async (agent, fields) => {
    await agent.changeGoal(oneOf(fields, "change", ["pause", "resume", "complete", "drop"]));
    return { goal: agent.goal };
  },
  bash: (agent, fields) => agent.bash(text(fields, "command")),
  abort_bash: (agent) => agent.abortBash(),
  new_session: (agent) => agent.newSession(),
  switch_session: (agent, fields) => agent.switchSession(text(fields, "sessionPath")),
  fork: async (agent, fields) => {
    const position = optional(fields, "position", (name) => oneOf(fields, name, ["before", "at"]));
    const { cancelled, editorText } = await agent.fork(text(fields, "entryId"), position);
    return { cancelled, text: editorText };
  },
  navigate_tree: (agent, fields) =>
    agent.navigateTree(text(fields, "targetId"), {
      summarize: fields.summarize === true,
      ...optional(fields, "replaceInstructions", (name) => fields[name] === true),
      ...optional(fields, "customInstructions", (name) => text(fields, name)),
      ...optional(fields, "label", (name) => text(fields, name)),
    }),
  set_session_name: (agent, fields) => void agent.session.appendSessionName(text(fields, "name")),
  reload: (agent) => agent.reload(),
};

/** A field that may be left out: then it is nowhere. */
function optional<const Name extends string, T>(
  fields: Fields,
  name: Name,
  read: (name: Name) => T,
): { readonly [Key in Name]?: T } {
  if (fields[name] === undefined) return {};
  return { [name]: read(name) } as { readonly [Key in Name]?: T };
}

function oneOf<const T extends string>(fields: Fields, name: string, values: readonly T[]): T {
  const found = values.find((value) => value === fields[name]);
  if (!found) throw new Error(`"${name}" must be one of: ${values.join(", ")}.`);
  return found;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw new Error(`"${name}" must be a string.`);
  return value;
}
