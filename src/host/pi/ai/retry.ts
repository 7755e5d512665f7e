import { setTimeout as sleep } from "node:timers/promises";
import type { AssistantMessage } from "../../../events/index.ts";
import { failureOf } from "../../models/index.ts";

const OVERFLOW = [
  /prompt is too long/i,
  /exceeds? the (?:maximum )?context (?:window|length)/i,
  /context[_ ]length[_ ]exceeded/i,
  /maximum context length/i,
  /input token count.*exceeds/i,
  /too many tokens/i,
  /request_too_large/i,
  /reduce the length of the messages/i,
];

/** How providers say that a conversation is too long. */
export const getOverflowPatterns = () => [...OVERFLOW];

/** Whether an answer did not come about because the conversation is too long. */
export function isContextOverflow(message: AssistantMessage, contextWindow?: number): boolean {
  const text = message.errorMessage ?? "";
  if (message.stopReason === "error" && OVERFLOW.some((pattern) => pattern.test(text))) return true;
  if (failureOf(message)?.kind === "overflow") return true;
  const { input, cacheRead } = message.usage;
  return (
    contextWindow !== undefined &&
    message.stopReason === "stop" &&
    input + cacheRead > contextWindow
  );
}

/** Whether an answer was cut off sooner than it had to be. */
export function isRecoverableLength(message: AssistantMessage, wanted: number): boolean {
  return message.stopReason === "length" && message.usage.output < wanted;
}

/** Whether it is worth asking again. */
export function isRetryableAssistantError(message: AssistantMessage): boolean {
  return failureOf(message)?.kind === "transient";
}

export const DEFAULT_MAX_AGENT_RETRY_DELAY_MS = 60_000;

interface RetryPolicy {
  readonly enabled: boolean;
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxAgentDelayMs?: number;
}

/** Twice as long each time, up to a limit. */
export function retryDelayMs(
  {
    baseDelayMs,
    maxAgentDelayMs = DEFAULT_MAX_AGENT_RETRY_DELAY_MS,
  }: Pick<RetryPolicy, "baseDelayMs" | "maxAgentDelayMs">,
  attempt: number,
): number {
  return Math.min(maxAgentDelayMs, baseDelayMs * 2 ** Math.max(0, attempt - 1));
}

interface Callbacks {
  onRetryScheduled?(attempt: number, most: number, delayMs: number, error: string): unknown;
  onRetryAttemptStart?(): unknown;
  onRetryFinished?(success: boolean, attempt: number, finalError?: string): unknown;
}

/** Asks until there is an answer, or until asking again is not worth it. */
export async function retryAssistantCall(
  produce: () => Promise<AssistantMessage>,
  policy: RetryPolicy | undefined,
  signal?: AbortSignal,
  callbacks: Callbacks = {},
): Promise<AssistantMessage> {
  const most = policy?.enabled ? policy.maxRetries : 0;
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await callbacks.onRetryAttemptStart?.();
    const message = await produce();
    const again =
      policy && attempt < most && !signal?.aborted && isRetryableAssistantError(message);
    if (!again) {
      const success = message.stopReason !== "error";
      if (attempt > 0) await callbacks.onRetryFinished?.(success, attempt, message.errorMessage);
      return message;
    }
    const delayMs = retryDelayMs(policy, attempt + 1);
    await callbacks.onRetryScheduled?.(attempt + 1, most, delayMs, message.errorMessage ?? "");
    await sleep(delayMs, undefined, signal ? { signal } : {}).catch(() => {});
  }
}
