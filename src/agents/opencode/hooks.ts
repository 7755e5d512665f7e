import { isRecord } from "../../values/index.ts";
import { real } from "../hooks/answering.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, PROMPT, STOP } from "../hooks/event-lists.ts";
import { textAt, valueAt } from "../hooks/fields.ts";
import type { Payload } from "../hooks/hook-support.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

/**
 * What plugin.ts sends: OpenCode's `input` and `output` of a hook, the folder, and for a session
 * that another one started, the one at the top.
 */
const isFromSubagent = (payload: Payload) =>
  textAt(payload, ["rootSessionID", "input.properties.info.parentID"]) !== undefined;

const ABORT = () => ({ say: { abort: true } });
const ERROR = (reason: string) => ({ say: { error: reason } });

export const hooks = defineHooks({
  agent: "opencode",
  tools,
  quirks,
  style: {
    sessionId: [
      "rootSessionID",
      "input.sessionID",
      "input.properties.sessionID",
      "input.properties.info.id",
      "sessionID",
    ],
    cwd: ["input.properties.info.directory", "directory"],
    turnId: ["output.message.id"],
    model: ["output.message.model.modelID"],
    inSubagent: { id: ["childSessionID"] },
    tool: {
      name: ["input.tool", "input.properties.part.tool"],
      input: ["output.args", "input.args", "input.properties.part.state.input"],
      callId: ["input.callID", "input.properties.part.callID"],
      output: ["output.output"],
      error: ["input.properties.part.state.error"],
    },
    subagent: {
      id: ["output.metadata.sessionId", "input.properties.part.state.metadata.sessionId"],
    },
  },
  failed: ({ name }, payload) => {
    const code = valueAt(payload, ["output.metadata.exit"]);
    return name === "bash" && typeof code === "number" && code !== 0;
  },
  hooks: {
    "event.session.created": {
      events: ["session_start"],
      arrives: "real",
      skip: isFromSubagent,
    },
    "chat.message": {
      events: PROMPT,
      arrives: "real",
      says: {
        block_prompt: real(ERROR),
        rewrite_prompt: real((text) => ({ say: { text } })),
        add_context: real((context) => ({ say: { context } })),
      },
      skip: isFromSubagent,
    },
    "tool.execute.before": {
      events: [...BEFORE_TOOL, "subagent_start", "skill_invoked"],
      arrives: "real",
      says: {
        block: real(ERROR),
        rewrite_input: real((args) => ({ say: { args } })),
        interrupt: real(ABORT),
      },
    },
    "tool.execute.after": {
      events: [...AFTER_TOOL, "subagent_end"],
      arrives: "real",
      says: {
        replace_result: real(({ text }) => ({ say: { output: text } })),
        interrupt: real(ABORT),
      },
    },
    "event.message.part.updated": {
      events: [...AFTER_TOOL, "subagent_end"],
      arrives: "real",
      skip: (payload) => !isFailedTool(payload),
    },
    "event.session.idle": { events: STOP, arrives: "real", skip: isFromSubagent },
    "experimental.session.compacting": {
      events: ["session_before_compact"],
      arrives: "real",
      skip: isFromSubagent,
    },
    "event.session.compacted": {
      events: ["session_compact"],
      arrives: "real",
      skip: isFromSubagent,
    },
    dispose: { events: ["session_shutdown"], arrives: "real" },
  },
  refine(reading, hook, payload) {
    const prompt = hook === "chat.message" ? promptOf(payload) : undefined;
    return prompt === undefined ? reading : { ...reading, prompt };
  },
});

function isFailedTool(payload: Payload): boolean {
  const part = valueAt(payload, ["input.properties.part"]);
  return isRecord(part) && part.type === "tool" && textAt(part, ["state.status"]) === "error";
}

/** The prompt stands in the parts that the user wrote; OpenCode adds parts of its own. */
function promptOf(payload: Payload): string | undefined {
  const parts = valueAt(payload, ["output.parts"]);
  if (!Array.isArray(parts)) return undefined;
  const texts = parts
    .filter(isRecord)
    .filter(({ type, text, synthetic }) => type === "text" && text && synthetic !== true)
    .map(({ text }) => String(text));
  return texts.length > 0 ? texts.join("\n") : undefined;
}
