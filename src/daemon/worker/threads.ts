import { availableParallelism } from "node:os";
import { messageOf } from "../../errors/index.ts";
import type { Log } from "../log.ts";
import type { WorkerTask } from "./protocol.ts";
import { SessionWorker, type WorkerEvents } from "./session-worker.ts";
import { Thread } from "./thread.ts";

/** A thread with fewer sessions takes one more before another one is started. */
const FEW_SITTERS = 8;
/** A crash costs so many sessions a moment, not more. */
const MOST_SITTERS = 32;
/** What extensions leave behind is gone at the latest after so many. */
const MOST_EVER = 500;

/** How long no new attempt is made after the first failure; twice as long after each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** More than all of the daemon ever needs. */
const MOST_MB = 1_500;
const LOOK_MS = 250;

export interface ThreadGroup {
  /** Those with the same one are put together. Undefined: this one stays alone. */
  readonly key: string | undefined;
}

const PROCESSORS = availableParallelism();

const ANYWHERE = Symbol("anywhere");

interface Options {
  readonly log: Log;
  readonly most: number;
  /** Throws if no thread can be made. */
  readonly check?: () => void;
  /** Where threads note what they do, if anybody needs to know. */
  readonly doing?: () => string | undefined;
}

interface Pause {
  readonly failures: number;
  readonly until: number;
  readonly detail: string;
}

interface Shared {
  readonly thread: Thread;
  readonly key: string;
}

/**
 * The threads in which extensions run. Sessions with the same extensions share one: there are no
 * more threads than processors for the same extensions, and only so many in all. A thread costs
 * far more than a session in it.
 */
export class Threads {
  readonly #log: Log;
  readonly #most: number;
  readonly #check: (() => void) | undefined;
  readonly #doing: () => string | undefined;
  readonly #shared = new Set<Shared>();
  readonly #alone = new Set<Thread>();
  #look: NodeJS.Timeout | undefined;
  #isAttended = false;
  /** Since when and for how long nothing is tried: anywhere, or for one folder. */
  readonly #pauses = new Map<string | typeof ANYWHERE, Pause>();

  constructor({ log, most, check, doing = () => undefined }: Options) {
    this.#log = log;
    this.#most = most;
    this.#check = check;
    this.#doing = doing;
  }

  /** Whether somebody would see a question of an extension. */
  set isAttended(isAttended: boolean) {
    this.#isAttended = isAttended;
    const threads = [...[...this.#shared].map(({ thread }) => thread), ...this.#alone];
    for (const thread of threads) thread.post({ do: "attended", isAttended });
  }

  get count(): number {
    this.#forgetEnded();
    return this.#shared.size + this.#alone.size;
  }

  /**
   * Loads a session's extensions. Throws if there is no thread for them, and for a while after that:
   * every hook that comes meanwhile would only fail the same way, and take longer.
   */
  start(task: WorkerTask, events: WorkerEvents, { key }: ThreadGroup): SessionWorker {
    for (const where of [ANYWHERE, task.cwd] as const) {
      const pause = this.#pauses.get(where);
      if (pause && Date.now() < pause.until) throw new Error(pause.detail);
    }
    const place = ({ alone, not }: { alone: boolean; not?: Thread }) =>
      key === undefined || alone ? this.#ownThread() : this.#sharedThread(key, not);
    try {
      return new SessionWorker(task, events, place, key === undefined);
    } catch (thrown) {
      this.failed(messageOf(thrown));
      throw thrown;
    }
  }

  /** Extensions could not be loaded, and that was none of theirs. `cwd`: it concerns no other folder. */
  failed(detail: string, cwd?: string): void {
    const where = cwd ?? ANYWHERE;
    const failures = this.#pauses.get(where)?.failures ?? 0;
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    this.#pauses.set(where, { failures: failures + 1, until: Date.now() + ms, detail });
  }

  worked(cwd: string): void {
    this.#pauses.delete(ANYWHERE);
    this.#pauses.delete(cwd);
  }

  #sharedThread(key: string, not?: Thread): Thread {
    this.#forgetEnded();
    const open = [...this.#shared].filter(({ thread }) => thread !== not && hasRoom(thread));
    const same = leastTaken(open.filter((one) => one.key === key));
    const threads = [...this.#shared].filter((one) => one.key === key).length;
    if (same && (same.sitters < FEW_SITTERS || threads >= PROCESSORS)) {
      if (same.sitters < MOST_SITTERS) return same;
    }
    if (this.count < this.#most) {
      try {
        const thread = this.#newThread(false);
        this.#shared.add({ thread, key });
        return thread;
      } catch (thrown) {
        // Better close together than not at all.
        const other = same ?? leastTaken(open);
        if (!other) throw thrown;
        this.#log.warn(`a thread for extensions could not be started: ${messageOf(thrown)}`);
        return other;
      }
    }
    const other = same ?? leastTaken(open) ?? leastTaken([...this.#shared].filter(isOpen));
    if (other && other !== not) return other;
    throw new Error(`there are ${this.count} threads already, and no room in them`);
  }

  /** For a session that has to be alone. Where there are too many, such ones sit together. */
  #ownThread(): Thread {
    this.#forgetEnded();
    if (this.count >= this.#most) {
      const other = leastTaken([...this.#alone].filter(hasRoom).map((thread) => ({ thread })));
      if (other) return other;
    }
    const thread = this.#newThread(true);
    this.#alone.add(thread);
    return thread;
  }

  #newThread(isAlone: boolean): Thread {
    this.#check?.();
    this.#look ??= setInterval(() => this.#lookAtMemory(), LOOK_MS).unref();
    const doing = this.#doing();
    const thread = new Thread({
      isAlone,
      ...(doing !== undefined && { doing }),
      log: (text) => this.#log.info(`an extension's thread: ${text}`),
    });
    if (this.#isAttended) thread.post({ do: "attended", isAttended: true });
    return thread;
  }

  /** Of a thread that never yields only the whole process's memory can be seen. */
  #lookAtMemory(): void {
    this.#forgetEnded();
    if (this.#shared.size + this.#alone.size === 0) {
      clearInterval(this.#look);
      this.#look = undefined;
      return;
    }
    const mb = memoryMb();
    if (mb === undefined || mb < MOST_MB) return;
    for (const { thread } of this.#shared) thread.endIfHeld(mb);
    for (const thread of this.#alone) thread.endIfHeld(mb);
  }

  #forgetEnded(): void {
    for (const one of this.#shared) if (one.thread.over) this.#shared.delete(one);
    for (const thread of this.#alone) if (thread.over) this.#alone.delete(thread);
  }
}

/** Undefined for now if no file can be opened: the system tells it in one. */
function memoryMb(): number | undefined {
  try {
    return Math.round(process.memoryUsage.rss() / (1024 * 1024));
  } catch {
    return undefined;
  }
}

function isOpen({ thread }: Shared): boolean {
  return thread.isOpen;
}

function hasRoom(thread: Thread): boolean {
  return thread.isOpen && thread.taken < MOST_EVER;
}

function leastTaken(threads: readonly { readonly thread: Thread }[]): Thread | undefined {
  const [first] = threads.map(({ thread }) => thread).sort((a, b) => a.sitters - b.sitters);
  return first;
}
