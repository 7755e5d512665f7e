import type { EventName } from "../../events/index.ts";
import type { Installer } from "../install/installer.ts";
import type { Quirk } from "../quirk.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { Power } from "./power.ts";
import type { Reading, ToolReading } from "./reading.ts";
import type { Told } from "./told.ts";

/** What an agent hands to a hook. */
export type Payload = Readonly<Record<string, unknown>>;

/** real: proved on the agent's own program. fixture: only on payloads written down. */
export type Evidence = "real" | "fixture";

/** One native hook: which events it becomes, and what the agent does with the answer. */
export interface HookRow {
  /**
   * Fired in this order. What stands after a gate happens only if the gate let it pass; what the
   * reading says nothing about (a skill, a subagent) does not happen either.
   */
  readonly events: readonly EventName[];
  readonly powers: readonly Power[];
  /** Payloads that mean nothing, such as a hook that fires twice. */
  readonly skip?: (payload: Payload) => boolean;
  /** The agent may fire it several times in a row for one happening; these count as one. */
  readonly repeats?: boolean;
  /** How it is known that the hook arrives, and that each of its powers works. */
  readonly evidence?: { readonly arrives: Evidence } & Readonly<Partial<Record<Power, Evidence>>>;
}

/** An agent's hooks: the mapping as data, how payloads are read and answers written. */
export interface HookSupport {
  /** Extensions run inside the agent: the daemon has nothing to decide. */
  readonly inside?: true;
  /** It can be run in a way that tells of no prompt: work outside of a turn begins one. */
  readonly hidesPrompts?: true;
  /** By native hook name; hooks that are not here are kept in the journal and fire nothing. */
  readonly mapping: Readonly<Record<string, HookRow>>;
  /** Never throws: what is missing is left out. */
  read(hook: string, payload: Payload): Reading | undefined;
  /** A changed normalised input in the agent's own field names; undefined: cannot be said. */
  nativeInput(tool: ToolReading, input: Payload): Payload | undefined;
  /** Whether the agent that sent this payload has a dialog in which its user can be asked. */
  canAsk(hook: string, told: Told, payload: Payload): boolean;
  /** Says only what the row's powers allow. A question that the agent cannot put is a block. */
  answer(hook: string, told: Told, payload: Payload): HookAnswer;
  /** What is odd about this agent. */
  readonly quirks?: readonly Quirk[];
  /** Absent: Seam cannot write into its settings, and its user puts Seam's command there. */
  readonly installer?: Installer;
}
