import type { Permission, Refusal, ToolOutput } from "../../dispatch/index.ts";

/**
 * What an agent was told at one hook: the part of a decision that the hook can carry, and messages of
 * extensions that waited for it. Empty means that nobody decided: that is not "allow".
 */
export interface Told {
  readonly block?: Refusal;
  /** The agent is to ask its user whether the call may run. */
  readonly ask?: Refusal;
  /** A person let the call run. The agent is not told; the record is. */
  readonly allowed?: Permission;
  /** Changed input of the tool, in the agent's own field names. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly result?: ToolOutput;
  readonly context?: string;
  readonly prompt?: { readonly blocked?: string; readonly text?: string };
  /** The agent is to go on working for this text instead of stopping. */
  readonly goOn?: string;
  readonly cancel?: Refusal;
  /** The agent is to end its turn here. */
  readonly interrupt?: Refusal;
  /** A text for the user. */
  readonly message?: string;
}
