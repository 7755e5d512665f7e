import type { SessionChange } from "../watcher.ts";
import { known, textAt } from "./fields.ts";
import { NO_ANSWER } from "./hook-answer.ts";
import type { HookRow, HookSupport, Payload } from "./hook-support.ts";
import type { Reading, ToolReading } from "./reading.ts";

const EVENTS: Readonly<Record<SessionChange["event"], HookRow["events"]>> = {
  session_start: ["session_start"],
  agent_start: ["agent_start"],
  // The files say of a call only that it is over.
  tool_execution_end: ["tool_execution_start", "tool_execution_end"],
  agent_end: ["agent_end"],
};

/**
 * What is told of an agent without hooks: the daemon, which watches its files, sends itself a hook
 * for each change. Nobody waits for an answer, so nothing can be decided.
 */
export const watchedHooks: Omit<HookSupport, "installer"> = {
  mapping: Object.fromEntries(
    Object.entries(EVENTS).map(([change, events]): [string, HookRow] => [
      change,
      { events, powers: [], evidence: { arrives: "fixture" } },
    ]),
  ),
  read(hook, payload) {
    const sessionId = textAt(payload, ["sessionId"]);
    if (sessionId === undefined) return undefined;
    return {
      sessionId,
      ...known({
        cwd: textAt(payload, ["cwd"]),
        transcriptPath: textAt(payload, ["ref"]),
        prompt: textAt(payload, ["prompt"]),
        commit: textAt(payload, ["commit"]),
      }),
      ...(typeof payload.end === "number" && { transcriptEnd: payload.end }),
      ...(hook === "session_start" && { start: { reason: "startup" as const } }),
      ...(hook === "tool_execution_end" && { tools: toolsOf(payload) }),
    } satisfies Reading;
  },
  nativeInput: () => undefined,
  canAsk: () => false,
  answer: () => NO_ANSWER,
};

function toolsOf(payload: Payload): ToolReading[] {
  const path = textAt(payload, ["file"]);
  const command = textAt(payload, ["command"]);
  const input = known({ path, command });
  if (path === undefined && command === undefined) return [];
  const name = path === undefined ? "bash" : "edit";
  const callId = textAt(payload, ["id"]) ?? name;
  const result = { content: [], isError: false, native: undefined };
  return [{ name, nativeName: name, input, nativeInput: input, callId, result }];
}
