import { randomUUID } from "node:crypto";
import { explain } from "../errors/index.ts";
import {
  type AgentMessage,
  type AssistantMessage,
  mismatch,
  textOfContent,
} from "../events/index.ts";
import type { SystemPromptOptions } from "../extensions/index.ts";
import { type Call, PROTECTION } from "../protection/index.ts";
import { answeringModel, fallBack, selectedModel } from "./answering-model.ts";
import { askUser } from "./ask-user.ts";
import { beforeSettling, MOST_TIMES } from "./before-settling.ts";
import { appendDrafts, boundaryContext } from "./boundary.ts";
import { autoCompact, isTooLong } from "./compact.ts";
import type { Core } from "./core.ts";
import { Conversation } from "./loop/conversation.ts";
import { nestedCall } from "./loop/nested-call.ts";
import { Round } from "./loop/round.ts";
import { type RunResult, runAgent } from "./loop/run-agent.ts";
import type { OutputWatcher, RunContext } from "./loop/run-context.ts";
import { buildSystemPrompt } from "./resources/index.ts";
import { PROMPT_OPTIONS, systemPromptOptions } from "./system-prompt-options.ts";

/**
 * One turn: from a prompt until the agent is truly idle. Whatever happens on the way, it ends
 * with `agent_settled`, and never throws. False if it was aborted.
 */
export async function runTurn(core: Core, prompts: AgentMessage[]): Promise<boolean> {
  const controller = new AbortController();
  let finish: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  core.run.turnId = randomUUID();
  core.run.running = { controller, done };
  core.run.lastError = undefined;
  core.run.standIn = undefined;
  core.run.failedModels.clear();
  const { signal } = controller;
  try {
    await work(core, prompts, signal);
  } catch (thrown) {
    core.log("error", `The turn ended with an error: ${explain(thrown)}`);
    core.run.lastError = thrown;
  }
  const aborted = signal.aborted;
  // Tools that a broken turn left behind must not go on by themselves.
  if (core.run.lastError) controller.abort();
  // Idle first: a handler of agent_settled may already start the next turn.
  core.run.running = undefined;
  await core.emitter.tell({ type: "agent_settled", aborted }, 0);
  finish();
  return !aborted;
}

async function work(core: Core, prompts: AgentMessage[], signal: AbortSignal): Promise<void> {
  const { emitter, queue, side } = core;
  let next = await withSurroundings(core, prompts, signal);
  side.startTurn();
  let times = 0;
  for (;;) {
    const startedAt = Date.now();
    core.run.streaming = true;
    await emitter.boundary({ type: "agent_start", prompt: textOf(next[0]) }, signal);
    let result: RunResult = { messages: [], last: undefined };
    try {
      const run = runContext(core, signal);
      core.run.callTool = (callerId, name, args, options) =>
        nestedCall(run, core.tools.callable(), { callerId, name, args }, options);
      result = await runAgent(run, next);
    } finally {
      core.run.streaming = false;
      core.run.callTool = undefined;
      await emitter.boundary({ type: "agent_end", messages: result.messages }, signal);
    }
    side.addUsage(result, (Date.now() - startedAt) / 1000);
    if (signal.aborted || isBroken(result.last)) {
      await beforeSettling(core, result, { signal, times: MOST_TIMES });
      return;
    }
    if (isTooLong(core)) await autoCompact(core, "threshold", false, { signal });
    if (signal.aborted) return;
    next = [...queue.take("steer"), ...queue.take("followUp")];
    if (next.length === 0) next = side.reminder();
    if (next.length > 0) continue;
    const sentOn = await beforeSettling(core, result, { signal, times });
    if (!sentOn) return;
    times++;
    next = sentOn;
  }
}

const isBroken = (last: AssistantMessage | undefined) => last?.stopReason === "error";

/** The prompt with what belongs to it: messages that waited for it, and what extensions add. */
async function withSurroundings(
  core: Core,
  prompts: AgentMessage[],
  signal: AbortSignal,
): Promise<AgentMessage[]> {
  await core.mcp.settled(signal);
  const options = systemPromptOptions(core);
  const systemPrompt = buildSystemPrompt(options);
  core.run.systemPrompt = systemPrompt;
  const first = prompts[0];
  const images = imagesOf(first);
  const { event, changedBy } = await core.emitter.emit(
    {
      type: "before_agent_start",
      prompt: textOf(first),
      messageType: first?.role === "custom" ? "custom" : "user",
      ...(first?.role === "custom" && { message: first }),
      ...(images.length > 0 && { images }),
      systemPrompt,
      systemPromptOptions: { ...options },
    },
    signal,
  );
  // Whoever replaces the prompt has the last word; else what it is made from counts, if it was changed.
  core.run.systemPrompt =
    event.systemPrompt === systemPrompt && changedBy.length > 0
      ? rebuilt(core, event.systemPromptOptions, options)
      : event.systemPrompt;
  const injected = (event.messages ?? []).map(({ display = true, ...message }) => ({
    role: "custom" as const,
    ...message,
    display,
    timestamp: Date.now(),
  }));
  return [...prompts, ...core.queue.take("nextTurn"), ...injected];
}

function runContext(core: Core, signal: AbortSignal): RunContext {
  const { emitter, models, queue, behaviour, side, session } = core;
  const conversation = new Conversation(session.tree);
  return {
    asker: (question) => askUser(core, question, signal),
    emitter,
    against: (call) => protect(core, call, signal),
    models,
    queue,
    retry: behaviour.retry,
    sessionId: session.tree.getSessionId(),
    signal,
    round: new Round(),
    systemPrompt: core.run.systemPrompt,
    model: () => selectedModel(core),
    answering: (asking) => answeringModel(core, asking),
    fallBack: () => fallBack(core),
    tools: () => core.tools.active(),
    messages: () => [...conversation.messages],
    append: (message) => conversation.append(message),
    boundaryContext: () => boundaryContext(core),
    appendDrafts: (drafts) => appendDrafts(core, drafts),
    newWatcher: (): OutputWatcher | undefined => side.newWatcher(),
    makeRoom: async (reason, tries = 0) => {
      if (reason === "threshold" && !isTooLong(core, conversation.messages)) return false;
      if (!behaviour.compaction.enabled) return false;
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

/** The prompt made from what extensions changed; from what there was if that cannot be used. */
function rebuilt(core: Core, changed: unknown, before: SystemPromptOptions): string {
  const problem = mismatch(PROMPT_OPTIONS, changed);
  if (problem === undefined) return buildSystemPrompt(changed as SystemPromptOptions);
  core.log("warn", `What an extension made of the system prompt cannot be used: ${problem}.`);
  return buildSystemPrompt(before);
}

/**
 * Why a call must not run because it would change what Seam relies on; undefined if it may. Where
 * there is somebody to ask, they are asked.
 */
async function protect(
  core: Core,
  { name, input }: Call,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { protectSeam } = core.behaviour;
  if (protectSeam === "allow") return undefined;
  const reason = core.protection.against([{ name, input }], core.cwd);
  if (reason === undefined || protectSeam === "block") return reason;
  const question = { toolName: name, input, reason, by: PROTECTION, unanswered: "block" } as const;
  return (await askUser(core, question, signal)) === true ? undefined : reason;
}
