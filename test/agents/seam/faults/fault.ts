import type { Machine } from "./machine.ts";

/** What becomes of a call that the gate forbids. */
export type Outcome =
  /** The gate itself said no. */
  | "gate decides"
  /** The gate could not be asked, and the call was blocked for that. */
  | "blocked"
  /** The gate could not be asked, and the call went through. */
  | "runs";

/** Who is told that something is wrong. */
export const TOLD = ["model", "log", "status", "doctor"] as const;
export type Told = (typeof TOLD)[number];

export type Kind = "critical" | "ordinary";

export interface Fault {
  /** As a row of the table in docs/security.md says it. */
  readonly name: string;
  /** Where the gate is; a project's gate was trusted before. */
  readonly gate: "user" | "project";
  /** What the handler does instead of saying no, where the fault is its own. */
  readonly handler?: string;
  /** Settings of the user that keep the test short. */
  readonly settings?: object;
  /** How often it may be tried until the call runs, where the fault is a race. */
  readonly attempts?: number;
  /** Breaks something. The daemon runs, has loaded the gate, and knows the project. */
  readonly arrange?: (machine: Machine) => void | Promise<void>;
  /** Breaks it at the last moment: the agent has asked the model, which is about to make the call. */
  readonly breakLate?: (machine: Machine) => void;
  /** Puts back what the end of the test needs. */
  readonly undo?: (machine: Machine) => void;
  /** What the agent is started without, or with something else. */
  readonly env?: (machine: Machine) => Readonly<Record<string, string | undefined>>;
  readonly call: Readonly<Record<Kind, Outcome>>;
  /** Absent where it depends on what else fails because of the fault. */
  readonly told?: Readonly<Record<Kind, readonly Told[]>>;
}
