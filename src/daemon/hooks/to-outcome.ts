import type { HookRow, HookSupport, Outcome, Payload, Power, Reading } from "../../agents/index.ts";
import type { Decision } from "../worker/protocol.ts";
import { whoAnswers } from "./who-answers.ts";

/** What a decision is to be told to. */
export interface Hearer {
  /** For people. */
  readonly agentType: string;
  readonly hooks: Pick<HookSupport, "nativeInput" | "canAsk">;
  readonly hook: string;
  readonly payload: Payload;
  readonly row: HookRow;
  readonly reading: Reading;
  /** What extensions have to say and could not yet. Taken from as far as this hook can carry it. */
  readonly messages: { text: string; now: boolean }[];
  readonly notices: string[];
}

/** While an outcome is being put together. */
type Draft = { -readonly [Key in keyof Outcome]: Outcome[Key] };

/**
 * A decision in the form the agent can be told. What it cannot be told is listed in `unsaid`; a
 * changed input or prompt that cannot be passed on never runs unchanged.
 */
export function toOutcome(
  decision: Decision,
  hearer: Hearer,
): { outcome: Outcome; unsaid: string[] } {
  const outcome: Draft = {};
  const unsaid = [...decision.unsaid];
  const can = (power: Power) => hearer.row.powers.includes(power);

  const block =
    decision.block ??
    blockForInput(decision, hearer, outcome) ??
    blockForQuestion(decision, hearer, outcome);
  if (block && can("block")) outcome.block = block;
  else if (block) unsaid.push(`a block: ${block.reason}`);

  const result = decision.results.at(-1);
  if (result && can("replace_result")) {
    outcome.result = { content: result.content, isError: result.isError };
  } else if (result) unsaid.push(`a result changed by ${result.by.join(", ")}`);

  if (decision.cancel && can("cancel")) outcome.cancel = { reason: decision.cancel.reason };
  else if (decision.cancel) unsaid.push(`a cancel: ${decision.cancel.reason}`);

  for (const text of decision.context) hearer.messages.push({ text, now: false });
  if (decision.prompt) toPrompt(decision.prompt, hearer, outcome, unsaid);
  say(hearer, outcome);
  return { outcome, unsaid };
}

/** Fills in the changed input, or says why the call must not run. */
function blockForInput(
  { inputs }: Decision,
  { agentType, hooks, row, reading }: Hearer,
  outcome: Draft,
): Outcome["block"] {
  const [first, ...more] = inputs;
  if (!first) return undefined;
  const tool = reading.tools?.[first.index];
  // One call that touches several files has one input: two changes to it cannot be put together.
  const native =
    tool && more.length === 0 && row.powers.includes("rewrite_input")
      ? hooks.nativeInput(tool, first.input)
      : undefined;
  if (native) {
    outcome.input = native;
    return undefined;
  }
  const by = first.by.join(", ");
  const reason = `${by} changed the input of ${tool?.name ?? "this call"}, which ${agentType} cannot be told. So it was stopped.`;
  return { reason, by };
}

/** Fills in the question, or says why the call must not run. */
function blockForQuestion({ ask }: Decision, hearer: Hearer, outcome: Draft): Outcome["block"] {
  if (!ask) return undefined;
  const { reason, by, unanswered } = ask;
  const question = { reason, by };
  if (whoAnswers(hearer, { ...outcome, ask: question }) === "agent") {
    outcome.ask = question;
    return undefined;
  }
  if (unanswered === "allow") return undefined;
  delete outcome.input;
  return { reason: `${reason} Nobody could be asked, so it was blocked.`, by };
}

function toPrompt(
  { handledBy, text = "", by }: NonNullable<Decision["prompt"]>,
  { agentType, row, reading, messages }: Hearer,
  outcome: Draft,
  unsaid: string[],
): void {
  const can = (power: Power) => row.powers.includes(power);
  const before = reading.prompt ?? "";
  if (handledBy === undefined && can("rewrite_prompt")) {
    outcome.prompt = { text };
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
    outcome.prompt = { blocked: handledBy ? `${handledBy} dealt with this prompt.` : changed };
  } else {
    unsaid.push(
      handledBy ? `${handledBy} handled a prompt` : `a prompt changed by ${by.join(", ")}`,
    );
  }
}

/** Takes along what extensions have said since the last hook that could. */
function say({ row, reading, messages, notices }: Hearer, outcome: Draft): void {
  const can = (power: Power) => row.powers.includes(power);
  if (row.events.includes("agent_end") && can("continue") && !reading.end) {
    const now = takeOut(messages, (message) => message.now);
    if (now.length > 0) outcome.goOn = now.map(({ text }) => text).join("\n\n");
  }
  if (can("add_context") && messages.length > 0) {
    outcome.context = takeOut(messages, () => true)
      .map(({ text }) => text)
      .join("\n\n");
  }
  if (can("message") && notices.length > 0) outcome.message = notices.splice(0).join("\n");
}

function takeOut<T>(list: T[], wanted: (item: T) => boolean): T[] {
  const taken = list.filter(wanted);
  const rest = list.filter((item) => !wanted(item));
  list.splice(0, list.length, ...rest);
  return taken;
}
