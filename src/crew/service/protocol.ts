import type { CrewEvent } from "../../daemon/index.ts";
import type { ErrorCode, ErrorDetails } from "../../errors/index.ts";
import type { LandResult } from "../merge/land-on.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Run, Task } from "../model/run.ts";
import type { RunEvent } from "../model/run-event.ts";
import type { Workflow } from "../model/workflow.ts";
import type { Cleaned } from "../runs/clean-run.ts";
import type { RunReport } from "../runs/crew.ts";
import type { AttemptEvent } from "../workers/index.ts";
import type { RunRequest } from "./requests.ts";
import type { TalkAnswer, TalkRequest } from "./talk.ts";

/** What the thread of crews is started with. */
export interface CrewThreadTask {
  /** Seam's home. */
  readonly home: string;
}

/** A run that began. */
export interface Started {
  readonly run: Run;
  readonly warnings: readonly string[];
}

/** What a run would begin with. */
export interface Planned {
  readonly workflow: Workflow;
  readonly tasks: readonly Task[];
  readonly warnings: readonly string[];
}

/** Everything the thread can be asked, and what it answers. */
export interface CrewCalls {
  start: { readonly ask: RunRequest; readonly answer: Started };
  plan: { readonly ask: RunRequest; readonly answer: Planned };
  land: {
    readonly ask: { readonly run: string; readonly branch?: string };
    readonly answer: LandResult;
  };
  list: { readonly ask: undefined; readonly answer: readonly Run[] };
  show: { readonly ask: string; readonly answer: RunReport };
  events: {
    readonly ask: { readonly run: string; readonly after: number };
    readonly answer: readonly RunEvent[];
  };
  clean: { readonly ask: string; readonly answer: Cleaned };
  cancel: { readonly ask: string; readonly answer: Run };
  resume: { readonly ask: string; readonly answer: Run };
  retry: { readonly ask: { readonly run: string; readonly task: string }; readonly answer: Run };
  answer: {
    readonly ask: { readonly id: string; readonly value: string };
    readonly answer: CrewQuestion;
  };
  talk: { readonly ask: TalkRequest; readonly answer: TalkAnswer };
  work: { readonly ask: readonly string[]; readonly answer: string };
  /** What extensions said to an event. */
  fired: {
    readonly ask: { readonly number: number; readonly reason?: string };
    readonly answer: undefined;
  };
  close: { readonly ask: undefined; readonly answer: undefined };
}

export type CrewMethod = keyof CrewCalls;

export interface ToCrewThread {
  readonly id: number;
  readonly method: CrewMethod;
  readonly ask: unknown;
}

export type FromCrewThread =
  | { readonly say: "done"; readonly id: number; readonly answer: unknown }
  | { readonly say: "failed"; readonly id: number; readonly error: SentError }
  | { readonly say: "log"; readonly text: string }
  | { readonly say: "event"; readonly event: RunEvent }
  | { readonly say: "live"; readonly attempt: string; readonly event: AttemptEvent }
  | { readonly say: "asked"; readonly question: CrewQuestion; readonly cwd: string }
  | { readonly say: "settled"; readonly question: CrewQuestion }
  | {
      readonly say: "fire";
      readonly number: number;
      readonly cwd: string;
      readonly event: CrewEvent;
    }
  | { readonly say: "busy"; readonly isBusy: boolean };

/** What the thread says without being asked. */
export type CrewNews = Exclude<FromCrewThread, { say: "done" | "failed" }>;

/** An error that goes from one thread to another. */
export interface SentError {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly details?: ErrorDetails;
}
