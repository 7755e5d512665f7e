import {
  declarationOf,
  type EventMap,
  type SeamEvent,
  textOfContent,
  type UserContent,
} from "../events/index.ts";
import { joinAsks } from "./ask.ts";
import type { Decision } from "./decision.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { decideToolCall } from "./tool-call.ts";

/** A decision while it is being made. */
interface Draft {
  block?: Decision["block"];
  ask?: Decision["ask"];
  inputs: Decision["inputs"][number][];
  results: Decision["results"][number][];
  context: string[];
  prompt?: Decision["prompt"];
  cancel?: Decision["cancel"];
  unsaid: string[];
  calls: number;
  toolResults: number;
}

type Step<Name extends SeamEvent["type"]> = (
  dispatcher: Dispatcher,
  event: EventMap[Name],
  draft: Draft,
) => Promise<void>;

/** Events whose decision an agent can be told of, and how it is put together. */
const STEPS: { readonly [Name in SeamEvent["type"]]?: Step<Name> } = {
  tool_call: async (dispatcher, event, draft) => {
    const index = draft.calls++;
    const decided = await decideToolCall(dispatcher, event);
    const { blocked, ask, reason = "An extension said no.", by, changedBy, input } = decided;
    if (decided.additionalContext) draft.context.push(decided.additionalContext);
    // One call may touch several files: it runs as a whole or not at all.
    if (ask) draft.ask = joinAsks(draft.ask, ask);
    else if (blocked) draft.block ??= { reason, ...(by !== undefined && { by }) };
    if ((ask || !blocked) && changedBy.length > 0)
      draft.inputs.push({ index, input, by: changedBy });
  },
  // `decideToolCall` asks for admission itself.
  tool_admit: async () => {},
  tool_result: async (dispatcher, event, draft) => {
    const index = draft.toolResults++;
    const { event: after, changedBy, withheldBy } = await dispatcher.emit(event);
    if (withheldBy !== undefined) {
      const text = `The result was withheld: the critical extension ${withheldBy} failed.`;
      const content = [{ type: "text" as const, text }];
      draft.results.push({ index, content, isError: true, by: [withheldBy] });
    } else if (changedBy.length > 0) {
      const { content, isError } = after;
      draft.results.push({ index, content, isError, by: changedBy });
    }
  },
  input: async (dispatcher, event, draft) => {
    const { event: after, changedBy: by, endedBy } = await dispatcher.emit(event);
    if (endedBy !== undefined) draft.prompt = { handledBy: endedBy, by };
    else if (after.text !== event.text) draft.prompt = { text: after.text, by };
    if (after.images !== event.images) draft.unsaid.push(`${by.join(", ")} changed images`);
  },
  before_agent_start: async (dispatcher, event, draft) => {
    const { event: after } = await dispatcher.emit(event);
    for (const { content } of after.messages ?? []) draft.context.push(contextText(content));
    const { systemPrompt } = after;
    // Seam does not see the agent's own system prompt, so everything in the field was added.
    const added = systemPrompt.startsWith(event.systemPrompt)
      ? systemPrompt.slice(event.systemPrompt.length)
      : systemPrompt;
    if (added.trim() !== "") draft.context.push(added.trim());
  },
};

/**
 * Sends the events of one hook to the handlers, in order, and makes one decision of what they say.
 *
 * @example
 * const { dispatcher } = await loadExtensions({ cwd: process.cwd(), sources: ["./no-rm.ts"] });
 * const decision = await decide(dispatcher, [
 *   { type: "tool_call", toolName: "bash", toolCallId: "1", input: { command: "rm -rf build" } },
 * ]);
 * console.log(decision.block?.reason);
 */
export async function decide(
  dispatcher: Dispatcher,
  events: readonly SeamEvent[],
): Promise<Decision> {
  const draft: Draft = {
    inputs: [],
    results: [],
    context: [],
    unsaid: [],
    calls: 0,
    toolResults: 0,
  };
  for (const event of events) {
    // What stands after a gate happens only if the gate let it pass.
    if (isStopped(draft) && event.type !== "tool_call") break;
    // The table's types say that a step gets the event of its name.
    const step = STEPS[event.type] as Step<SeamEvent["type"]> | undefined;
    await (step ?? other)(dispatcher, event, draft);
  }
  const { calls: _, toolResults: __, ...decision } = draft;
  return decision;
}

function isStopped({ block, cancel, prompt }: Draft): boolean {
  return block !== undefined || cancel !== undefined || prompt?.handledBy !== undefined;
}

async function other(dispatcher: Dispatcher, event: SeamEvent, draft: Draft): Promise<void> {
  const said: unknown = await dispatcher.emit(event);
  if (declarationOf(event.type).kind === "observe" || typeof said !== "object" || !said) return;
  const { blocked, reason, by, result, changedBy } = said as {
    blocked?: boolean;
    reason?: string;
    by?: string;
    result?: unknown;
    changedBy?: readonly string[];
  };
  if (blocked) {
    const why = reason ?? `${by ?? "An extension"} said no.`;
    draft.cancel ??= { reason: why, ...(by !== undefined && { by }) };
  } else if (result !== undefined || (changedBy && changedBy.length > 0)) {
    draft.unsaid.push(`what was made of ${event.type} cannot be handed to this agent`);
  }
}

/** Context is text: a picture in it is only mentioned. */
export function contextText(content: string | readonly UserContent[]): string {
  return textOfContent(content, { image: () => "[image]" });
}
