import { type AgentMessage, textOfContent } from "../events/index.ts";
import { appendDrafts, boundaryContext } from "./boundary.ts";
import type { Core } from "./core.ts";
import { outcomeOf } from "./loop/record.ts";
import type { RunResult } from "./loop/run-agent.ts";

/** How often extensions may send an agent on that would stop. One that always does must come to an end. */
export const MOST_TIMES = 20;

/**
 * The last word of extensions before an agent is idle: Pi's `agent_before_settle` and oh-my-pi's
 * `session_stop`. Returns what the agent goes on with; undefined: it stops.
 */
export async function beforeSettling(
  core: Core,
  { messages, last }: RunResult,
  { signal, times }: { signal: AbortSignal; times: number },
): Promise<AgentMessage[] | undefined> {
  const { emitter, session } = core;
  if (!emitter.isHeard("agent_before_settle") && !emitter.isHeard("session_stop")) return undefined;
  const outcome = outcomeOf(last, signal);
  const { event } = await emitter.emit({
    type: "agent_before_settle",
    entries: [],
    continue: false,
    ...(emitter.isHandled("agent_before_settle") && { context: boundaryContext(core) }),
    outcome,
  });
  appendDrafts(core, event.entries);
  const mayGoOn = outcome === "completed" && times < MOST_TIMES;
  if (event.continue) return mayGoOn ? [] : undefined;
  const file = session.tree.getSessionFile();
  const stop = await emitter.emit({
    type: "session_stop",
    messages,
    ...(core.run.turnId !== undefined && { turn_id: core.run.turnId }),
    ...(last && { last_assistant_message: textOfContent(last.content) }),
    session_id: session.tree.getSessionId(),
    ...(file !== undefined && { session_file: file }),
    stop_hook_active: times > 0,
  });
  if (!stop.blocked || !mayGoOn) return undefined;
  const { additionalContext, reason } = stop.result ?? {};
  const content = additionalContext ?? reason ?? "Go on.";
  return [
    { role: "custom", customType: "session_stop", content, display: false, timestamp: Date.now() },
  ];
}
