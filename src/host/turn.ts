import { randomUUID } from "node:crypto";
import { explain, messageOf } from "../errors/index.ts";
import type { AgentMessage, AssistantMessage } from "../events/index.ts";
import { textOfContent } from "../events/index.ts";
import { askUser } from "./ask-user.ts";
import { autoCompact, isTooLong } from "./compact.ts";
import type { Core } from "./core.ts";
import { AbortedError, abortable } from "./loop/abortable.ts";
import { Conversation } from "./loop/conversation.ts";
import type { Recording } from "./loop/record.ts";
import { Round } from "./loop/round.ts";
import { type RunResult, runAgent } from "./loop/run-agent.ts";
import type { OutputWatcher, RunContext } from "./loop/run-context.ts";
import { protect } from "./protect.ts";
import type { SideState } from "./side-state.ts";
import { closeRound } from "./stuck/close-round.ts";
import { onItsOwn } from "./stuck/cuts.ts";
import { systemPromptOf } from "./system-prompt.ts";

/**
 * One turn: from a prompt until the agent is truly idle. Whatever happens on the way, it ends
 * with `agent_settled`, and never throws. False if it was aborted.
 */
export async function runTurn(
  core: Core,
  side: SideState,
  prompts: AgentMessage[],
): Promise<boolean> {
  const controller = new AbortController();
  let finish: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  core.turnId = randomUUID();
  core.running = { controller, done };
  side.lastError = undefined;
  const { signal } = controller;
  const turn: Turn = { signal, round: new Round(), over: false };
  const end = () => onItsOwn(() => controller.abort());
  try {
    await core.cuts.apart(
      () => work(core, side, prompts, turn),
      (error) => {
        side.lastError = error;
        end();
      },
    );
  } catch (thrown) {
    // Who did not come back was said already.
    if (!core.cuts.isCut(thrown)) {
      core.log("error", `The turn ended with an error: ${explain(thrown)}`);
    }
    side.lastError = thrown;
  }
  const aborted = signal.aborted;
  // If it was cut off, something of it may still be about.
  turn.over = true;
  // Tools that a broken turn left behind must not go on by themselves.
  if (side.lastError) end();
  if (core.streaming) await closeTurn(core, turn, messageOf(side.lastError));
  // Idle first: a handler of agent_settled may already start the next turn.
  core.running = undefined;
  await core.emitter.tell({ type: "agent_settled", aborted }, 0);
  finish();
  return !aborted;
}

/** Does what a turn that was cut off did not come to. */
async function closeTurn(core: Core, turn: Turn, reason: string): Promise<void> {
  const { emitter, session, cuts } = core;
  core.streaming = false;
  const run: Recording = {
    emitter,
    sessionId: session.getSessionId(),
    signal: turn.signal,
    round: turn.round,
    append: (message) => session.appendMessage(message),
    assertGoing: () => {},
  };
  const close = async () => {
    await closeRound(run, reason);
    return true;
  };
  try {
    // Whoever is told of it may not come back either. Every time there is one extension less.
    while (!(await cuts.step(close, false)));
  } catch (thrown) {
    core.log("error", messageOf(thrown));
  }
  await emitter.tell({ type: "agent_end", messages: [] }, 0);
}

/** One turn's own state: others may begin while it is still about. */
interface Turn {
  readonly signal: AbortSignal;
  readonly round: Round;
  over: boolean;
}

async function work(
  core: Core,
  side: SideState,
  prompts: AgentMessage[],
  turn: Turn,
): Promise<void> {
  const { emitter, queue } = core;
  const { signal } = turn;
  let next = await withSurroundings(core, side, prompts, signal);
  side.startTurn(core);
  for (;;) {
    const startedAt = Date.now();
    core.streaming = true;
    emitter.emit({ type: "agent_start", prompt: textOf(next[0]) });
    let result: RunResult = { messages: [], last: undefined };
    try {
      result = await runAgent(runContext(core, side, turn), next);
    } finally {
      if (!turn.over) {
        core.streaming = false;
        emitter.emit({ type: "agent_end", messages: result.messages });
      }
    }
    if (turn.over) return;
    side.addUsage(core, result, (Date.now() - startedAt) / 1000);
    if (signal.aborted || isBroken(result.last)) return;
    if (isTooLong(core)) await autoCompact(core, "threshold", false, { signal });
    if (queue.pending === 0) await afterAgentEnd(core, signal);
    if (signal.aborted) return;
    next = [...queue.take("steer"), ...queue.take("followUp")];
    if (next.length === 0) next = side.reminder(core);
    if (next.length === 0) return;
  }
}

/** Handlers of agent_end may want to go on; one that never returns is not waited for long. */
async function afterAgentEnd({ set: { dispatcher } }: Core, signal: AbortSignal): Promise<void> {
  if (!dispatcher.has("agent_end")) return;
  await abortable(dispatcher.settled(AGENT_END_MS), signal).catch(() => {});
}

const AGENT_END_MS = 5_000;

const isBroken = (last: AssistantMessage | undefined) => last?.stopReason === "error";

/** The prompt with what belongs to it: messages that waited for it, and what extensions add. */
async function withSurroundings(
  core: Core,
  side: SideState,
  prompts: AgentMessage[],
  signal: AbortSignal,
): Promise<AgentMessage[]> {
  const { prompt: systemPrompt, options } = systemPromptOf(core, side);
  core.systemPrompt = systemPrompt;
  const first = prompts[0];
  const images = imagesOf(first);
  const { event } = await core.emitter.emit(
    {
      type: "before_agent_start",
      prompt: textOf(first),
      ...(images.length > 0 && { images }),
      systemPrompt,
      systemPromptOptions: options,
    },
    signal,
  );
  core.systemPrompt = event.systemPrompt;
  const injected = (event.messages ?? []).map(({ display = true, ...message }) => ({
    role: "custom" as const,
    ...message,
    display,
    timestamp: Date.now(),
  }));
  return [...prompts, ...core.queue.take("nextTurn"), ...injected];
}

function runContext(core: Core, side: SideState, turn: Turn): RunContext {
  const { emitter, models, queue, behaviour, session } = core;
  const conversation = new Conversation(session);
  // The session may be in other hands already.
  const assertGoing = () => {
    if (turn.over) throw new AbortedError("The turn is over.");
  };
  return {
    asker: (question) => askUser(core, question, turn.signal),
    emitter,
    against: (call) => protect(core, call, turn.signal),
    models,
    queue,
    retry: behaviour.retry,
    sessionId: session.getSessionId(),
    signal: turn.signal,
    round: turn.round,
    systemPrompt: core.systemPrompt,
    model: () => {
      if (!core.model) throw core.models.noModel();
      return core.model;
    },
    thinkingLevel: () => core.thinkingLevel,
    tools: () => core.tools.active(),
    messages: () => [...conversation.messages],
    append: (message) => {
      assertGoing();
      return conversation.append(message);
    },
    assertGoing,
    newWatcher: (): OutputWatcher | undefined => side.newWatcher(core),
    makeRoom: async (reason, tries = 0) => {
      if (reason === "threshold" && !isTooLong(core, conversation.messages)) return false;
      if (!behaviour.compaction.enabled) return false;
      const { signal } = turn;
      return autoCompact(core, reason, reason !== "threshold", { signal, tries });
    },
  };
}

function textOf(message: AgentMessage | undefined): string {
  if (!message || !("content" in message)) return "";
  return textOfContent(message.content);
}

function imagesOf(message: AgentMessage | undefined) {
  if (message?.role !== "user" || typeof message.content === "string") return [];
  return message.content.filter((block) => block.type === "image");
}
