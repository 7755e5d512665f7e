import type { EventName } from "../../events/index.ts";
import type { Agent } from "../agent.ts";
import { known } from "./fields.ts";
import { readHookInput } from "./hook-input.ts";
import type { Payload } from "./hook-support.ts";
import type { Reading } from "./reading.ts";

/** The seven things that can happen to a session, whatever the agent. */
export const LIFECYCLE_EVENTS = [
  "session_start",
  "turn_start",
  "turn_end",
  "compaction",
  "session_end",
  "subagent_start",
  "subagent_end",
] as const;

/** A step of a session's life. */
export type LifecycleEventType = (typeof LIFECYCLE_EVENTS)[number];

/** A hook of any agent as a step in the life of a session. What the agent does not say is absent. */
export interface LifecycleEvent {
  readonly type: LifecycleEventType;
  readonly sessionId: string;
  /** The session this one goes on from. */
  readonly previousSessionId?: string;
  /** Where the transcript is. */
  readonly sessionRef?: string;
  readonly prompt?: string;
  /** ISO: as the agent says, or when the hook was read. */
  readonly timestamp: string;
  /** The call that started a subagent. */
  readonly toolUseId?: string;
  readonly subagentId?: string;
  /** The input of that call, as it came. */
  readonly toolInput?: unknown;
  readonly subagentType?: string;
  readonly taskDescription?: string;
  /** What the agent wants its user to be shown. */
  readonly responseMessage?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What each event of Seam's own vocabulary means for the life of a session. */
const TYPES: Partial<Record<EventName, LifecycleEventType>> = {
  session_start: "session_start",
  agent_start: "turn_start",
  agent_end: "turn_end",
  session_before_compact: "compaction",
  session_compact: "compaction",
  session_shutdown: "session_end",
  subagent_start: "subagent_start",
  subagent_end: "subagent_end",
};

/**
 * What a hook means for the life of its session; undefined if it means nothing for that, such as the
 * call of a tool that starts no subagent.
 *
 * @example
 * const claude = agentNamed("claude-code");
 * const payload = { session_id: "s1", prompt: "add a test" };
 * if (claude) console.log(lifecycleEvent(claude, "UserPromptSubmit", payload)?.type); // turn_start
 */
export function lifecycleEvent(
  { hooks }: Pick<Agent, "hooks">,
  hook: string,
  payload: Payload,
  now = new Date(),
): LifecycleEvent | undefined {
  const row = hooks && Object.hasOwn(hooks.mapping, hook) ? hooks.mapping[hook] : undefined;
  if (!hooks || !row || row.skip?.(payload)) return undefined;
  const reading = hooks.read(hook, payload);
  const types = row.events.flatMap((event) => TYPES[event] ?? []);
  const type = reading && types.find((one) => isSaid(one, reading));
  if (!reading || type === undefined) return undefined;
  const { subagent, notice } = reading;
  const isSubagents = type === "subagent_start" || type === "subagent_end";
  return {
    type,
    sessionId: reading.sessionId,
    timestamp: reading.at ?? now.toISOString(),
    ...known({
      previousSessionId: reading.previousSessionId,
      sessionRef: reading.transcriptPath,
      prompt: type === "turn_start" ? reading.prompt : undefined,
      metadata: reading.metadata,
      responseMessage: notice?.text,
    }),
    ...(isSubagents &&
      known({
        toolUseId: subagent?.toolCallId,
        subagentId: subagent?.id,
        toolInput: subagent?.input,
        subagentType: subagent?.type,
        taskDescription: subagent?.task,
      })),
  };
}

/** Reads a hook from its input to the end, and says what it means for the life of its session. */
export async function parseHookEvent(
  agent: Pick<Agent, "hooks">,
  hook: string,
  stdin: Parameters<typeof readHookInput>[0],
): Promise<LifecycleEvent | undefined> {
  return lifecycleEvent(agent, hook, await readHookInput(stdin));
}

/**
 * Hooks of tools are hooks of subagents only where the tool starts one; the start of a session may be
 * its going on after a compaction.
 */
function isSaid(type: LifecycleEventType, { subagent, compaction }: Reading): boolean {
  if (type === "session_start") return compaction === undefined;
  if (type === "compaction") return compaction !== undefined;
  return (type !== "subagent_start" && type !== "subagent_end") || subagent !== undefined;
}
