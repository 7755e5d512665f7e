import type { Reading, Told } from "../agents/index.ts";
import type { EventName } from "../events/index.ts";
import type { GitRequest } from "./git-hooks/request.ts";

/** One accepted hook, as the journal has it, with what came of it. */
export interface HookRecord {
  /** Position in the journal: rises by one; the recorder keeps the last one it has dealt with. */
  readonly seq: number;
  /** The sender chooses it; the same hook sent twice has the same id. */
  readonly id: string;
  /** ISO. */
  readonly at: string;
  readonly agent: string;
  /** Native name. */
  readonly hook: string;
  /** The process that ran the hook; the agent is one of its ancestors. */
  readonly pid?: number;
  readonly cwd?: string;
  /** Undefined if the payload could not be understood. */
  readonly reading?: Reading;
  readonly events: readonly EventName[];
  /** What the agent was told. */
  readonly told: Told;
  /** The agent may have gone on, and changed files, before this came to be recorded. */
  readonly late?: boolean;
  /** Folders of other repositories that the call works in, where its input is not told. */
  readonly touches?: readonly string[];
  /** The daemon calls this before it answers, only for the places the call is about to touch. */
  readonly visiting?: true;
  /** What a hook of git told; then there are no events. */
  readonly git?: GitRequest;
}

/** Keeps what agents did. Called after the agent has its answer; never makes it wait. */
export interface Recorder {
  /**
   * In order of `seq` for each session, and not only when the one before has come to its end. May be
   * called again after a crash with what was called before.
   */
  accept(record: HookRecord): Promise<void>;
  close(): Promise<void>;
}
