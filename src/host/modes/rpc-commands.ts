import { THINKING_LEVELS } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import { type Fields, imagesIn, oneOf, optional, text } from "./rpc-fields.ts";
import { PI_COMMANDS } from "./rpc-pi-commands.ts";

const said = (fields: Fields) => ({ source: "rpc", ...imagesIn(fields) }) as const;

/** What a client can ask for. Each returns the data of its answer. */
export const RPC_COMMANDS: Record<string, (agent: EmbeddedAgent, fields: Fields) => unknown> = {
  ...PI_COMMANDS,
  prompt: (agent, fields) => {
    const wanted = fields.streamingBehavior ?? fields.deliverAs;
    const deliverAs = wanted === "steer" ? "steer" : "followUp";
    const message = text(fields, "message");
    return new Promise<void>((resolve, reject) => {
      // Accepted, not finished: the events tell how it goes on.
      const options = { ...said(fields), deliverAs, onAccepted: resolve } as const;
      agent.prompt(message, options).then(resolve, reject);
    });
  },
  steer: async (agent, fields) => ({
    queuedId: await agent.steer(text(fields, "message"), said(fields)),
  }),
  follow_up: async (agent, fields) => ({
    queuedId: await agent.followUp(text(fields, "message"), said(fields)),
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
    isCompacting: agent.isCompacting,
    steeringMode: agent.queue.modes.steer,
    followUpMode: agent.queue.modes.followUp,
    autoCompactionEnabled: agent.autoCompacts,
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
    // Pi answers with the model itself; `model` is where it was in Seam 0.1.
    return { ...model, model };
  },
  set_thinking_level: (agent, fields) =>
    agent.setThinkingLevel(oneOf(fields, "level", THINKING_LEVELS)),
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
  new_session: (agent, fields) =>
    agent.newSession(optional(fields, "parentSession", (name) => text(fields, name))),
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
