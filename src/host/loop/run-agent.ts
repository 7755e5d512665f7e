import type { AgentMessage, AssistantMessage } from "../../events/index.ts";
import { AbortedError, sleep } from "../abortable.ts";
import { type Failure, failureOf } from "../models/index.ts";
import { askModel, type ModelReply } from "./ask-model.ts";
import { callTools } from "./call-tools.ts";
import { endRound, recordMessage } from "./record.ts";
import type { RunContext } from "./run-context.ts";

export interface RunResult {
  /** What this run added to the conversation. */
  readonly messages: AgentMessage[];
  readonly last: AssistantMessage | undefined;
}

/** How often extensions may send on a run that would end. One that always does must come to an end. */
const MOST_SENT_ON = 20;

/** Runs the agent from prompt to stop: rounds of a model call and its tool calls. */
export async function runAgent(run: RunContext, prompts: AgentMessage[]): Promise<RunResult> {
  const { emitter, queue, signal, round } = run;
  const added: AgentMessage[] = [];
  let incoming = prompts;
  let last: AssistantMessage | undefined;
  let madeRoom = 0;
  let sentOn = 0;
  for (let turnIndex = 0; ; turnIndex++) {
    round.start(turnIndex);
    await emitter.boundary({ type: "turn_start", turnIndex, timestamp: Date.now() }, signal);
    for (const message of incoming) added.push((await recordMessage(run, message)).message);
    if (turnIndex > 0 && !signal.aborted) await run.makeRoom("threshold");

    const answer = await askPatiently(run);
    last = answer.message;
    added.push(last);
    const { results, terminate } = await callTools(run, last, answer.entryId);
    added.push(...results);
    const isSentOn = (await endRound(run, last, answer.entryId)) && sentOn++ < MOST_SENT_ON;

    incoming = answer.interruption ? [answer.interruption] : [];
    if (signal.aborted) break;
    if (answer.interruption) continue;
    if (await outOfRoom(run, last, madeRoom)) {
      madeRoom++;
      continue;
    }
    if (last.stopReason === "error") break;
    if (last.stopReason !== "length") madeRoom = 0;
    incoming = queue.take("steer");
    const goesOn = (results.length > 0 && !terminate) || isSentOn;
    if (!goesOn && incoming.length === 0) incoming = queue.take("followUp");
    if (!goesOn && incoming.length === 0) break;
  }
  return { messages: added, last };
}

/** How often room is made for one answer, less being kept each time. */
const MOST_TRIES = 3;

/** The answer did not fit. True if there is room now and it is worth trying again. */
async function outOfRoom(
  run: RunContext,
  answer: AssistantMessage,
  tries: number,
): Promise<boolean> {
  // More room does not help an answer that the model's own limit cuts off.
  if (answer.stopReason === "length") return tries === 0 && run.makeRoom("incomplete");
  if (failureOf(answer)?.kind !== "overflow" || tries >= MOST_TRIES) return false;
  return run.makeRoom("overflow", tries);
}

/** Asks again after failures that pass: a busy or broken server, a cut connection. */
async function askPatiently(run: RunContext): Promise<ModelReply> {
  const { emitter, retry, signal } = run;
  const maxAttempts = retry.maxRetries;
  let standIn: string | undefined;
  let failed: AssistantMessage | undefined;
  for (let attempt = 1; ; attempt++) {
    const answer = await askModel(run, failed);
    const failure = failureOf(answer.message);
    const passing = failure?.kind === "transient" && !signal.aborted;
    const finalError = answer.message.errorMessage ?? "";
    failed = answer.message;
    if (!passing || attempt > maxAttempts) {
      if (attempt > 1) {
        const error = failure ? { finalError } : {};
        emitter.emit({ type: "auto_retry_end", success: !failure, attempt: attempt - 1, ...error });
      }
      const models = passing ? run.fallBack() : undefined;
      if (!models) {
        if (standIn !== undefined && !failure) {
          emitter.emit({ type: "retry_fallback_succeeded", model: standIn, role: "default" });
        }
        return answer;
      }
      standIn = models.to;
      const about = { role: "default", reason: finalError };
      emitter.emit({ type: "retry_fallback_applied", ...models, ...about });
      attempt = 0;
      continue;
    }
    const delayMs = delayOf(run, attempt, failure);
    emitter.emit({
      type: "auto_retry_start",
      attempt,
      maxAttempts,
      delayMs,
      errorMessage: finalError,
    });
    try {
      await sleep(delayMs, signal);
    } catch (thrown) {
      if (!(thrown instanceof AbortedError)) throw thrown;
      const end = { success: false, attempt, finalError: "Aborted while waiting." };
      emitter.emit({ type: "auto_retry_end", ...end });
      return answer;
    }
  }
}

function delayOf({ retry }: RunContext, attempt: number, failure: Failure): number {
  const backoff = retry.baseDelayMs * 2 ** (attempt - 1);
  return Math.min(retry.maxDelayMs, Math.max(backoff, failure.retryAfterMs ?? 0));
}
