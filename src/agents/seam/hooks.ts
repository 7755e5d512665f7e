import { mismatch, type SkillEvent, SkillEventSchema } from "../../events/index.ts";
import { recordOf, textAt } from "../hooks/fields.ts";
import { NO_ANSWER } from "../hooks/hook-answer.ts";
import type { HookSupport, Payload } from "../hooks/hook-support.ts";
import type { Reading, ToolReading } from "../hooks/reading.ts";

/**
 * What the embedded agent tells the daemon, for the record. Its extensions run inside it, so there is
 * nothing left to decide; but a person can interrupt it.
 */
export const hooks: Omit<HookSupport, "installer"> = {
  inside: true,
  mapping: {
    session_start: { events: ["session_start"], powers: [] },
    agent_start: { events: ["agent_start"], powers: [] },
    tool_execution_end: {
      events: ["tool_execution_start", "tool_execution_end"],
      powers: ["interrupt"],
    },
    skill_invoked: { events: ["skill_invoked"], powers: [] },
    agent_end: { events: ["agent_end"], powers: [] },
    session_shutdown: { events: ["session_shutdown"], powers: [] },
  },
  read(hook, payload) {
    const sessionId = textAt(payload, ["sessionId"]);
    if (sessionId === undefined) return undefined;
    const event = recordOf(payload.event);
    return {
      sessionId,
      ...field("cwd", textAt(payload, ["cwd"])),
      ...field("transcriptPath", textAt(payload, ["sessionFile"])),
      ...field("model", textAt(payload, ["model"])),
      ...field("prompt", textAt(event, ["prompt"])),
      ...(hook === "tool_execution_end" && toolOf(event)),
      ...(isSkillEvent(event.skillEvent) && { skill: event.skillEvent }),
    };
  },
  nativeInput: (_, input) => input,
  canAsk: () => false,
  answer: (_, { interrupt }) =>
    interrupt ? { stdout: JSON.stringify({ abort: true }), exitCode: 0 } : NO_ANSWER,
};

function isSkillEvent(value: unknown): value is SkillEvent {
  return mismatch(SkillEventSchema, value) === undefined;
}

function field<Key extends string>(key: Key, value: string | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [key in Key]?: string };
}

function toolOf(event: Payload): Pick<Reading, "tools" | "decided"> {
  const name = textAt(event, ["toolName"]) ?? "";
  const input = recordOf(event.args);
  const tool: ToolReading = {
    name,
    nativeName: name,
    input,
    nativeInput: input,
    callId: textAt(event, ["toolCallId"]) ?? "",
    result: { content: [], isError: event.isError === true, native: event.result },
  };
  const blocked = recordOf(event.blocked);
  const reason = textAt(blocked, ["reason"]);
  const by = textAt(blocked, ["by"]);
  return {
    tools: [tool],
    ...(reason !== undefined && {
      decided: { block: { reason, ...(by !== undefined && { by }) } },
    }),
  };
}
