import type { Decision } from "../../dispatch/index.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { HookRow, HookSupport, Payload } from "./hook-support.ts";
import type { Power } from "./power.ts";
import type { Reading } from "./reading.ts";
import type { Told } from "./told.ts";

/** An agent at one of its hooks, which waits for an answer. */
export interface Hearer {
  /** The agent's name for people. */
  readonly agentType: string;
  readonly hooks: Pick<HookSupport, "nativeInput" | "canAsk" | "answer">;
  readonly hook: string;
  readonly payload: Payload;
  readonly row: HookRow;
  readonly reading: Reading;
  /** What extensions have to say to the model. `tell` takes out what this hook can carry. */
  readonly messages: { text: string; now: boolean }[];
  /** What extensions have to say to the user. `tell` takes them out if this hook can carry them. */
  readonly notices: string[];
}

type Draft = { -readonly [Key in keyof Told]: Told[Key] };

/**
 * Says a decision to an agent in the agent's own words. What its hook cannot carry is listed in
 * `unsaid`; a changed input or prompt that cannot be passed on never runs unchanged.
 */
export function tell(
  decision: Decision,
  hearer: Hearer,
): { answer: HookAnswer; told: Told; unsaid: string[] } {
  const { hooks, hook, payload } = hearer;
  const { told, unsaid } = fitting(decision, hearer);
  const answer = hooks.answer(hook, told, payload);
  const { message, ...rest } = told;
  if (message === undefined || answer.exitCode === 0) return { answer, told, unsaid };
  // Agents read nothing beside an exit code: the notice waits for the next hook that can carry it.
  hearer.notices.unshift(message);
  return { answer, told: rest, unsaid };
}

/** The part of a decision that the agent has a power for at this hook. */
function fitting(decision: Decision, hearer: Hearer): { told: Told; unsaid: string[] } {
  const told: Draft = {};
  const unsaid = [...decision.unsaid];
  const can = (power: Power) => hearer.row.powers.includes(power);

  const block =
    decision.block ??
    blockForInput(decision, hearer, told) ??
    blockForQuestion(decision, hearer, told);
  if (block && can("block")) told.block = block;
  else if (block) unsaid.push(`a block: ${block.reason}`);
  if (decision.allowed && !block) told.allowed = decision.allowed;

  const result = decision.results.at(-1);
  if (result && can("replace_result")) {
    told.result = { content: result.content, isError: result.isError };
  } else if (result) unsaid.push(`a result changed by ${result.by.join(", ")}`);

  if (decision.cancel && can("cancel")) told.cancel = { reason: decision.cancel.reason };
  else if (decision.cancel) unsaid.push(`a cancel: ${decision.cancel.reason}`);

  // Where there are no words for it, the refusal of the call says it to the model.
  if (decision.interrupt && can("interrupt")) told.interrupt = decision.interrupt;

  for (const text of decision.context) hearer.messages.push({ text, now: false });
  if (decision.prompt) toPrompt(decision.prompt, hearer, told, unsaid);
  say(hearer, told);
  return { told, unsaid };
}

/** Fills in the changed input, or says why the call must not run. */
function blockForInput(
  { inputs }: Decision,
  { agentType, hooks, row, reading }: Hearer,
  told: Draft,
): Told["block"] {
  const [first, ...more] = inputs;
  if (!first) return undefined;
  const tool = reading.tools?.[first.index];
  // One call that touches several files has one input: two changes to it cannot be put together.
  const native =
    tool && more.length === 0 && row.powers.includes("rewrite_input")
      ? hooks.nativeInput(tool, first.input)
      : undefined;
  if (native) {
    told.input = native;
    return undefined;
  }
  const by = first.by.join(", ");
  const reason = `${by} changed the input of ${tool?.name ?? "this call"}, which ${agentType} cannot be told. So it was stopped.`;
  return { reason, by };
}

/**
 * Fills in the question for the agent's own dialog, or says why the call must not run. A person is
 * asked there and nowhere else.
 */
function blockForQuestion({ ask }: Decision, hearer: Hearer, told: Draft): Told["block"] {
  if (!ask) return undefined;
  const { reason, by, unanswered } = ask;
  const question = { reason, by };
  const { hooks, hook, payload } = hearer;
  if (hooks.canAsk(hook, { ...told, ask: question }, payload)) {
    told.ask = question;
    return undefined;
  }
  if (unanswered === "allow") return undefined;
  delete told.input;
  return { reason: `${reason} Nobody could be asked, so it was blocked.`, by };
}

function toPrompt(
  { handledBy, text = "", by }: NonNullable<Decision["prompt"]>,
  { agentType, row, reading, messages }: Hearer,
  told: Draft,
  unsaid: string[],
): void {
  const can = (power: Power) => row.powers.includes(power);
  const before = reading.prompt ?? "";
  if (handledBy === undefined && can("rewrite_prompt")) {
    told.prompt = { text };
  } else if (
    handledBy === undefined &&
    before !== "" &&
    text.includes(before) &&
    can("add_context")
  ) {
    // Nothing was taken away: what was put around it can go beside it.
    messages.push({ text: text.replace(before, () => "").trim(), now: false });
  } else if (can("block_prompt")) {
    const changed = `${by.join(", ")} changed this prompt, which ${agentType} cannot be told. Send it like this instead:\n\n${text}`;
    told.prompt = { blocked: handledBy ? `${handledBy} dealt with this prompt.` : changed };
  } else {
    unsaid.push(
      handledBy ? `${handledBy} handled a prompt` : `a prompt changed by ${by.join(", ")}`,
    );
  }
}

/** Takes along what extensions have said since the last hook that could carry it. */
function say({ row, reading, messages, notices }: Hearer, told: Draft): void {
  const can = (power: Power) => row.powers.includes(power);
  // Beside a refusal agents read nothing more for the model, so that has to wait.
  const isRefused =
    (told.block ?? told.prompt?.blocked ?? told.cancel ?? told.interrupt) !== undefined;
  if (!isRefused && row.events.includes("agent_end") && can("continue") && !reading.end) {
    const now = takeOut(messages, (message) => message.now);
    if (now.length > 0) told.goOn = now.map(({ text }) => text).join("\n\n");
  }
  if (!isRefused && can("add_context") && messages.length > 0) {
    told.context = takeOut(messages, () => true)
      .map(({ text }) => text)
      .join("\n\n");
  }
  if (can("message") && notices.length > 0) told.message = notices.splice(0).join("\n");
}

function takeOut<T>(list: T[], wanted: (item: T) => boolean): T[] {
  const taken = list.filter(wanted);
  const rest = list.filter((item) => !wanted(item));
  list.splice(0, list.length, ...rest);
  return taken;
}
