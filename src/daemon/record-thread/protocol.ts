import type { GitRequest, HookRecord, RepoProblem } from "../../record/index.ts";

/** What can be asked of the recorder; each is answered when it is done. */
export type RecordCall =
  | { readonly method: "accept"; readonly record: HookRecord }
  | { readonly method: "git"; readonly request: GitRequest }
  | { readonly method: "lost"; readonly folder: string; readonly what: string }
  | { readonly method: "forget"; readonly folder: string; readonly session: string }
  | { readonly method: "endGone" }
  | { readonly method: "sweep" }
  | { readonly method: "close" };

export type ToRecordWorker =
  | { readonly do: "call"; readonly id: number; readonly call: RecordCall }
  /** The agent goes on although the start of the turn with this hook is not recorded yet. */
  | { readonly do: "overtaken"; readonly hookId: string };

export type FromRecordWorker =
  | { readonly say: "ready" }
  | { readonly say: "done"; readonly id: number; readonly error?: string }
  | {
      readonly say: "log";
      readonly level: "info" | "warn";
      readonly text: string;
      readonly error?: string;
    }
  /** What could not be recorded, and not even be written down; all of it, whenever it changes. */
  | { readonly say: "problems"; readonly problems: readonly RepoProblem[] };

/** What the thread is made with. */
export interface RecordTask {
  readonly version: string;
}
