import type { EventName } from "../../events/index.ts";
import type { Quirk } from "../quirk.ts";
import { answerWith, canAsk, type Wordings } from "./answering.ts";
import { NO_ANSWER } from "./hook-answer.ts";
import type { Evidence, HookRow, HookSupport, Payload } from "./hook-support.ts";
import { POWERS } from "./power.ts";
import { type ReaderOptions, readPayload } from "./read-payload.ts";
import type { Reading } from "./reading.ts";
import { toNative } from "./tool-table.ts";

/** One native hook as it stands in an agent's table. */
export interface HookEntry {
  readonly events: readonly EventName[];
  readonly arrives: Evidence;
  readonly says?: Wordings;
  readonly skip?: HookRow["skip"];
  readonly repeats?: boolean;
}

export interface AgentHooks extends ReaderOptions {
  readonly hooks: Readonly<Record<string, HookEntry>>;
  readonly quirks: readonly Quirk[];
  readonly hidesPrompts?: true;
  /** What is odd about this agent's payloads, put right. */
  readonly refine?: (reading: Reading, hook: string, payload: Payload) => Reading;
}

/** An agent's hooks from its tables. */
export function defineHooks(agent: AgentHooks): Omit<HookSupport, "installer"> {
  const entryOf = (hook: string) =>
    Object.hasOwn(agent.hooks, hook) ? agent.hooks[hook] : undefined;
  const mapping = Object.fromEntries(
    Object.entries(agent.hooks).map(([hook, entry]) => [hook, rowOf(entry)]),
  );
  return {
    mapping,
    quirks: agent.quirks,
    ...(agent.hidesPrompts && { hidesPrompts: true }),
    read(hook, payload) {
      const row = Object.hasOwn(mapping, hook) ? mapping[hook] : undefined;
      const read = readPayload(agent, row, payload);
      const reading = read && agent.refine ? agent.refine(read, hook, payload) : read;
      return reading && row && lacksCall(row, reading) ? undefined : reading;
    },
    nativeInput: (tool, input) => toNative(agent.tools, tool, { ...input }),
    canAsk(hook, told, payload) {
      const wordings = entryOf(hook)?.says;
      return wordings !== undefined && canAsk(wordings, { hook, payload, told });
    },
    answer(hook, told, payload) {
      const wordings = entryOf(hook)?.says;
      return wordings ? answerWith(wordings, { hook, payload, told }) : NO_ANSWER;
    },
  };
}

/**
 * A hook that can stop a call and does not say which one was not understood: nobody can be asked about it.
 * It would come from a newer agent, which says it in other words.
 */
function lacksCall({ events, powers }: HookRow, { tools }: Reading): boolean {
  return events.includes("tool_call") && powers.includes("block") && tools === undefined;
}

function rowOf({ events, arrives, says = {}, skip, repeats }: HookEntry): HookRow {
  const powers = POWERS.filter((power) => says[power]);
  const proofs = powers.map((power) => [power, says[power]?.evidence]);
  return {
    events,
    powers,
    ...(skip && { skip }),
    ...(repeats && { repeats }),
    evidence: { arrives, ...Object.fromEntries(proofs) },
  };
}
