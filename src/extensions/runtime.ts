import { Dispatcher, type DispatcherOptions } from "../dispatch/index.ts";
import { messageOf, SeamError } from "../errors/index.ts";
import type { Host } from "./api/host.ts";
import { SharedBus } from "./event-bus.ts";
import type { Source } from "./find/source.ts";
import { guardProcess } from "./guard-process.ts";
import { LoadingExtension } from "./loading-extension.ts";
import { type ExtensionProblem, placeOf, type SourceLine } from "./problem.ts";

const MOST_PROBLEMS = 1_000;

/** What all extensions of one session share. */
export class Runtime {
  readonly cwd: string;
  readonly dispatcher: Dispatcher;
  readonly bus = new SharedBus();
  readonly flagValues = new Map<string, boolean | string>();
  readonly problems: ExtensionProblem[] = [];
  readonly #members = new Map<string, LoadingExtension>();
  readonly #listeners = new Set<(problem: ExtensionProblem) => void>();
  #host: Host | undefined;
  #stale = false;

  constructor(cwd: string, options: Omit<DispatcherOptions, "onProblem"> = {}) {
    this.cwd = cwd;
    this.dispatcher = new Dispatcher({
      ...options,
      onProblem: ({ error, owner: { path }, event }) =>
        this.report("error", error, path, { event }),
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
    if (this.#stale || this.#members.get(path)?.gone) {
      throw new SeamError("SEAM_EXT_STALE", { path });
    }
  }

  /** The host, for something that acts: not before there is one, not after it is gone. */
  host(path: string, method: string): Host {
    this.assertActive(path);
    if (!this.#host) throw new SeamError("SEAM_EXT_NOT_BOUND", { path, method });
    return this.#host;
  }

  /** An extension is about to be loaded: from here on its failures are told apart from others'. */
  join(source: Source): LoadingExtension {
    const failed = (thrown: unknown) => this.failed(source.path, thrown);
    const member = new LoadingExtension(source, failed);
    this.#members.set(source.path, member);
    guardProcess(member, failed);
    return member;
  }

  /** A timer, a bus listener or a detached promise of an extension failed. */
  failed(path: string, thrown: unknown): void {
    const details = { path, detail: messageOf(thrown) };
    this.report("error", new SeamError("SEAM_TIMER_THREW", details, { cause: thrown }), path);
  }

  report(
    severity: ExtensionProblem["severity"],
    error: SeamError,
    path: string,
    known: { readonly event?: string; readonly where?: SourceLine } = {},
  ): ExtensionProblem {
    const member = this.#members.get(path);
    const { event } = known;
    const where = known.where ?? placeOf(error, (file) => member?.owns(file) ?? file === path);
    const problem: ExtensionProblem = {
      severity,
      error,
      path,
      ...(event !== undefined && { event }),
      ...(where && { where }),
    };
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
    contained(() => this.#host?.log(severity === "error" ? "error" : "warn", error.message));
    for (const listener of this.#listeners) contained(() => listener(problem));
    return problem;
  }

  onProblem(listener: (problem: ExtensionProblem) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** A listener's own failure has nowhere better to go. */
function contained(tell: () => void): void {
  try {
    tell();
  } catch {}
}
