import type { SeamEvent } from "../../events/index.ts";
import {
  type AgentOptions,
  type EmbeddedAgent,
  jsonEvent,
  type Prompt,
  runLastAnswer,
  runTexts,
  sessionLine,
  type TextOutput,
} from "../../host/index.ts";

/** How a run without a screen speaks to the program that reads it. */
export interface Dialect {
  /** An event for `--mode json` and `--mode rpc`. */
  readonly shown: (event: SeamEvent) => unknown;
  readonly print: (
    agent: EmbeddedAgent,
    prompts: readonly Prompt[],
    output: TextOutput,
  ) => Promise<boolean>;
  readonly unknownTools: NonNullable<AgentOptions["unknownTools"]>;
}

export const SEAM: Dialect = { shown: jsonEvent, print: runTexts, unknownTools: "refuse" };

/** What programs expect that start `pi`: its events alone, the last answer alone, no refusal. */
export const PI: Dialect = { shown: sessionLine, print: runLastAnswer, unknownTools: "warn" };
