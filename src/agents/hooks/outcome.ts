import type { UserContent } from "../../events/index.ts";

/** What all handlers together said to a hook. Empty means nobody decided: that is not "allow". */
export interface Outcome {
  readonly block?: { readonly reason: string; readonly by?: string };
  /** The agent is to ask its user whether the call may run. */
  readonly ask?: { readonly reason: string; readonly by?: string };
  /** Changed input of the tool, in the agent's own field names. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly content: readonly UserContent[]; readonly isError: boolean };
  readonly context?: string;
  readonly prompt?: { readonly blocked?: string; readonly text?: string };
  /** What the agent is told instead of stopping. */
  readonly goOn?: string;
  readonly cancel?: { readonly reason: string };
  /** For the user. */
  readonly message?: string;
}

/** What the agent's hook runner gets to see. */
export interface Answer {
  /** Empty: nothing is printed, which every agent takes as no decision. */
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode: number;
}

export const NO_ANSWER: Answer = { stdout: "", exitCode: 0 };
