import type { Json } from "../database/crew-database.ts";

/** What the code of a flow does durably: what it has done once is not done again after a crash. */
export interface Flow {
  /** Does something once. `signal`: the flow was cancelled, or another machine took it over. */
  step<Output extends Json>(
    name: string,
    work: (signal: AbortSignal) => Promise<Output>,
  ): Promise<Output>;
  /** Waits at no cost, also over a reboot. */
  sleep(name: string, until: Date): Promise<void>;
  /** Waits for a signal at no cost; undefined if it did not come in time. */
  wait(name: string, signal: string, until?: Date): Promise<Json | undefined>;
}

export type FlowCode = (flow: Flow, input: Json) => Promise<void>;

/** Who may take a flow: the worker that is named, and those that joined the pool. */
export interface FlowPlace {
  readonly worker?: string;
  readonly pool?: string;
}

export interface FlowState {
  readonly key: string;
  readonly name: string;
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly error?: string;
}

/**
 * Durable flows. Everything that crews ask of the engine underneath is in this file and in `Flow`, so
 * that another engine could take its place.
 */
export interface Engine {
  /** Why this process cannot go on with anything at present; it keeps trying. */
  readonly trouble: string | undefined;
  /** Starts a flow; nothing happens if one with this key was started before. */
  start(name: string, key: string, input: Json, place: FlowPlace): Promise<void>;
  /** Wakes whoever waits for it. If nobody does, it is kept for the first one who will. */
  signal(name: string, data?: Json): Promise<void>;
  /** Cancels a flow: the step under way is told, and no other step follows. */
  cancel(key: string): Promise<void>;
  /** Flows whose key begins like this. */
  list(keyStart: string): Promise<FlowState[]>;
  /** From now on takes flows of this worker, and of these pools. */
  work(pools: readonly string[]): void;
  close(): Promise<void>;
}
