import { Dispatcher, type DispatcherOptions } from "../dispatch/index.ts";
import { SeamError } from "../errors/index.ts";
import type { Host } from "./api/host.ts";
import { SharedBus } from "./event-bus.ts";
import type { ExtensionProblem } from "./problem.ts";

/** What all extensions of one session share. */
export class Runtime {
  readonly cwd: string;
  readonly dispatcher: Dispatcher;
  readonly bus = new SharedBus();
  readonly flagValues = new Map<string, boolean | string>();
  readonly problems: ExtensionProblem[] = [];
  readonly #listeners = new Set<(problem: ExtensionProblem) => void>();
  #host: Host | undefined;
  #stale = false;

  constructor(cwd: string, options: Omit<DispatcherOptions, "onProblem"> = {}) {
    this.cwd = cwd;
    this.dispatcher = new Dispatcher({
      ...options,
      onProblem: ({ error, owner, event }) => {
        const problem = { severity: "error" as const, error, path: owner.path };
        this.report(event === undefined ? problem : { ...problem, event });
      },
    });
  }

  get bound(): boolean {
    return this.#host !== undefined;
  }

  bind(host: Host): void {
    this.#host = host;
  }

  /** From now on everything that was handed out throws. */
  invalidate(): void {
    this.#stale = true;
  }

  assertActive(path: string): void {
    if (this.#stale) throw new SeamError("SEAM_EXT_STALE", { path });
  }

  /** The host, for something that acts: not before there is one, not after it is gone. */
  host(path: string, method: string): Host {
    this.assertActive(path);
    if (!this.#host) throw new SeamError("SEAM_EXT_NOT_BOUND", { path, method });
    return this.#host;
  }

  report(problem: ExtensionProblem): void {
    if (this.problems.length < 1000) this.problems.push(problem);
    this.#host?.log(problem.severity === "error" ? "error" : "warn", problem.error.message);
    for (const listener of this.#listeners) {
      try {
        listener(problem);
      } catch {
        // A listener's own failure has nowhere better to go.
      }
    }
  }

  onProblem(listener: (problem: ExtensionProblem) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
