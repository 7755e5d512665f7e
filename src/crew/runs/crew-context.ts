import type { CrewEvent } from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { Engine } from "../engine/engine.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { RunEvent } from "../model/run-event.ts";
import type { Budget } from "../model/workflow.ts";
import type { Concurrency } from "../policy/concurrency.ts";
import type { AttemptEvent } from "../workers/index.ts";
import type { CrewStore } from "./crew-store.ts";
import type { Repositories } from "./repositories.ts";

/** What the parts of a run share, and what they tell those outside. */
export interface CrewContext {
  readonly store: CrewStore;
  readonly engine: Engine;
  readonly repositories: Repositories;
  /** Seam's home. */
  readonly home: string;
  /** This machine's name among the workers. */
  readonly worker: string;
  readonly limits: CrewLimits;
  readonly outside: Outside;
}

export interface CrewLimits {
  readonly concurrency: Concurrency;
  /** For all runs of a day together. */
  readonly day: Budget;
  /** For each command that proves something. */
  readonly proofMs: number;
}

/** Those who want to know: the daemon, and everybody who follows a run. */
export interface Outside {
  log(text: string): void;
  /** Something happened, and is stored. */
  tell(event: RunEvent): void;
  /** What an agent does right now; it is not stored. */
  show(attempt: string, event: AttemptEvent): void;
  /** A question is stored and waits, or waits no more. */
  asked(question: CrewQuestion): void;
  settled(question: CrewQuestion): void;
  /** Seam committed the work of a session in a folder: the record takes it up. */
  committed(cwd: string, commit: string): Promise<void>;
  /** Asks the extensions of a repository, or tells them. Returns who said no, and why. */
  fire(cwd: string, event: CrewEvent): Promise<{ readonly reason: string } | undefined>;
}

/** The folder of everything crews keep on this machine. */
export const crewFolder = (home: string) => `${home}/crew`;

export const runKey = (run: string, flows: number) => `run:${run}#${flows}`;
export const taskKey = (run: string, task: string, retries = 0) => `task:${run}/${task}#${retries}`;
/** What wakes the flow of a run. */
export const runSignal = (run: string) => `run:${run}`;
export const questionSignal = (question: string) => `question:${question}`;
/** Somebody's attempt ended: there may be a place for another one. */
export const PLACE_SIGNAL = "place";

/** Stores what happened, then tells it. */
export async function happened(
  { store, outside }: CrewContext,
  event: Omit<RunEvent, "number" | "at">,
): Promise<void> {
  outside.tell(await store.addEvent(event));
}

export function unknownRun(id: string): SeamError {
  // Who names none means the last one.
  if (id === "last") return new SeamError("SEAM_CREW_NONE", {});
  const where = "seam crew list";
  return new SeamError("SEAM_CREW_UNKNOWN", { what: "run", id, where });
}

export function unknownTask(run: string, id: string): SeamError {
  const where = `seam crew status ${run}`;
  return new SeamError("SEAM_CREW_UNKNOWN", { what: "task", id, where });
}
