import { mismatch, type SkillEvent, SkillEventSchema } from "../../events/index.ts";
import { recordOf, textAt } from "../hooks/fields.ts";
import { NO_ANSWER } from "../hooks/hook-answer.ts";
import type { HookSupport, Payload } from "../hooks/hook-support.ts";
import type { Reading, ToolReading } from "../hooks/reading.ts";

/**
 * What the embedded agent tells the daemon, for the record and for the people who lead it. Its
 * extensions run inside it, so there is nothing left to decide for those.
 */
export const hooks: Omit<HookSupport, "installer"> = {
  inside: true,
  mapping: {
    session_start: { events: ["session_start"], powers: [] },
    agent_start: { events: ["agent_start"], powers: [] },
    tool_call: { events: ["tool_call"], powers: ["block", "add_context", "interrupt"] },
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
      ...(hook === "tool_call" && { tools: [calledTool(event, event.input)] }),
      ...(hook === "tool_execution_end" && toolOf(event)),
      ...(isSkillEvent(event.skillEvent) && { skill: event.skillEvent }),
    };
  },
  nativeInput: (_, input) => input,
  canAsk: () => false,
  answer: (_, { interrupt, block, context }) => {
    const said = {
      ...(interrupt && { abort: true }),
      ...(block && { block: block.reason }),
      ...field("context", context),
    };
    if (Object.keys(said).length === 0) return NO_ANSWER;
    return { stdout: JSON.stringify(said), exitCode: 0 };
  },
};

function isSkillEvent(value: unknown): value is SkillEvent {
  return mismatch(SkillEventSchema, value) === undefined;
}

function field<Key extends string>(key: Key, value: string | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [key in Key]?: string };
}

function calledTool(event: Payload, args: unknown): ToolReading {
  const name = textAt(event, ["toolName"]) ?? "";
  const input = recordOf(args);
  const callId = textAt(event, ["toolCallId"]) ?? "";
  return { name, nativeName: name, input, nativeInput: input, callId };
}

function toolOf(event: Payload): Pick<Reading, "tools" | "decided"> {
  const tool: ToolReading = {
    ...calledTool(event, event.args),
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
