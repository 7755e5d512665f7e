import type { CrewEvent } from "../../daemon/index.ts";
import type { LandResult } from "../merge/land-on.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Run, Task } from "../model/run.ts";
import type { RunEvent } from "../model/run-event.ts";
import type { AgentChoice, Workflow } from "../model/workflow.ts";
import type { CheckUp } from "../runs/check-up.ts";
import type { Cleaned } from "../runs/clean-run.ts";
import type { AllowRequest } from "../runs/crew.ts";
import type { Environment } from "../runs/run-environment.ts";
import type { RunReport } from "../runs/run-report.ts";
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
  readonly goal: string;
  readonly tasks: readonly Task[];
  /** Who would do each task, best first. */
  readonly agents: Readonly<Record<string, readonly AgentChoice[]>>;
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
  check: { readonly ask: undefined; readonly answer: CheckUp };
  clean: { readonly ask: string; readonly answer: Cleaned };
  cancel: { readonly ask: string; readonly answer: Run };
  resume: {
    readonly ask: { readonly run: string; readonly environment?: Environment };
    readonly answer: Run;
  };
  retry: {
    readonly ask: {
      readonly run: string;
      readonly task: string;
      readonly environment?: Environment;
    };
    readonly answer: Run;
  };
  allow: { readonly ask: { readonly run: string } & AllowRequest; readonly answer: Run };
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

/** What the thread says without being asked. */
export type CrewNews =
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
