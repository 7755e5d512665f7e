import type { AgentOptions } from "../../host/index.ts";
import type { loadSettings } from "../../settings/index.ts";

type Settings = ReturnType<typeof loadSettings>["settings"];

/** What the settings say about the embedded agent. */
export function agentSettings({
  compaction,
  retry,
  maxTodoReminders,
  deadlines,
  stuckMs,
  protectSeam,
}: Settings): Pick<
  AgentOptions,
  "compaction" | "retry" | "maxTodoReminders" | "deadlines" | "watchdog" | "protectSeam"
> {
  const { enabled = true, ...delays } = retry;
  return {
    compaction,
    retry: enabled ? delays : { ...delays, maxRetries: 0 },
    maxTodoReminders,
    deadlines,
    watchdog: stuckMs > 0 && { afterMs: stuckMs, onStuck: "end" },
    protectSeam,
  };
}
