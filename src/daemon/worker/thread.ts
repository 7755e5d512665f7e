import { Worker } from "node:worker_threads";
import { messageOf, systemCode } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";
import {
  type FromSeat,
  type FromThread,
  MARK_BEGUN,
  MARK_SEAT,
  type SeatMessage,
  type ThreadData,
  type ToThread,
} from "./protocol.ts";

/** Why a thread is no more. */
export interface ThreadEnd {
  /** seam: before any extension could do anything. */
  readonly kind: "stuck" | "ended" | "seam";
  readonly detail: string;
  /** The extension whose code had it; undefined if that cannot be told. */
  readonly culprit: string | undefined;
}

/** A session in a thread. */
export interface Sitter {
  /** It waits for an answer. */
  readonly busy: boolean;
  heard(said: SeatMessage): void;
  /** Its extensions ended the thread. */
  ended(end: ThreadEnd): void;
  /** The thread ended for somebody else's sake. `unclear`: nobody knows whose. */
  lost(end: ThreadEnd, unclear: boolean): void;
  /** Somebody else's code does not let go of the thread. `begun`: its last question under way. */
  moveAway(begun: number): void;
}

interface Options extends ThreadData {
  readonly isAlone: boolean;
  readonly log: (text: string) => void;
}

type Hear = {
  readonly [Say in FromThread["say"]]: (message: Extract<FromThread, { say: Say }>) => void;
};

/** How long a thread that is alive may take to say so. */
const PONG_MS = 2_000;
/** A thread that others wait for is asked after so long whether it is alive. */
const QUIET_MS = 1_000;
const END_MS = 3_000;
/** Code that has had a thread for so long, while memory ran out, is why. */
const HELD_MS = 300;
/** One extension that leaks must not take the daemon's memory with it. */
const HEAP_MB = { alone: 512, shared: 1_024 };

/** The daemon's side of a thread that runs the extensions of one session or of several. */
export class Thread {
  /** For those that misbehaved: nobody is put beside them. */
  readonly isAlone: boolean;
  readonly #worker: Worker;
  readonly #log: (text: string) => void;
  readonly #sitters = new Map<number, Sitter>();
  readonly #exited: Promise<void>;
  readonly #slots = new Map<number, string>();
  #running: Int32Array | undefined;
  #marks: Int32Array | undefined;
  #exiting: { by: number; path: string | undefined } | undefined;
  #heardAt = performance.now();
  #quietTimer: NodeJS.Timeout | undefined;
  #pongTimer: NodeJS.Timeout | undefined;
  #asked = 0;
  #taken = 0;
  #closed = false;
  #over = false;

  constructor({ isAlone, log, doing }: Options) {
    this.isAlone = isAlone;
    this.#log = log;
    this.#worker = new Worker(builtFile("bin/extension-thread.js"), {
      workerData: { ...(doing !== undefined && { doing }) } satisfies ThreadData,
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: isAlone ? HEAP_MB.alone : HEAP_MB.shared,
        maxYoungGenerationSizeMb: 64,
      },
      env: { ...process.env },
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("message", (message: FromSeat | FromThread) => this.#heard(message));
    this.#worker.on("error", (thrown) => {
      const ours = !this.isUp && systemCode(thrown) !== "ERR_WORKER_OUT_OF_MEMORY";
      this.#die(ours ? "seam" : "ended", messageOf(thrown));
    });
    this.#worker.on("exit", (code) => {
      this.#die(this.isUp ? "ended" : "seam", `it ended with code ${code}`);
    });
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      stream.on("data", (data: Buffer) => log(data.toString("utf8").trimEnd()));
    }
  }

  get over(): boolean {
    return this.#over;
  }

  /** It has begun to run. */
  get isUp(): boolean {
    return this.#marks !== undefined;
  }

  get sitters(): number {
    return this.#sitters.size;
  }

  /** How many it has ever had. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether another session may come in. */
  get isOpen(): boolean {
    return !this.#over && !this.#closed;
  }

  add(sitter: Sitter): number {
    const seat = ++this.#taken;
    this.#sitters.set(seat, sitter);
    return seat;
  }

  /** Nothing is heard of this one any more. The last one that goes ends the thread. */
  async remove(seat: number): Promise<void> {
    this.#sitters.delete(seat);
    if (this.#sitters.size === 0) await this.#stop();
  }

  nextId(): number {
    return ++this.#asked;
  }

  post(message: ToThread): void {
    if (this.#over) return;
    this.#worker.postMessage(message);
    if (message.do === "decide" && this.#sitters.size > 1) this.#listen();
  }

  /**
   * The daemon has become too large. Ends the thread if it is the one that does not come back from
   * what it does; asked again and again, as long as that is so.
   */
  endIfHeld(mb: number): void {
    const isHeld = this.#sitters.has(this.#marks?.[MARK_SEAT] ?? 0);
    if (this.#over || !isHeld || performance.now() - this.#heardAt < HELD_MS) return;
    this.#die("ended", `the daemon grew to ${mb} MB while it ran`);
  }

  /** Asks whether it is alive. It ends if it does not say so. */
  probe(why: string): void {
    if (this.#pongTimer || this.#over) return;
    this.post({ do: "ping" });
    this.#pongTimer = setTimeout(() => this.#die("stuck", why), PONG_MS);
  }

  async #stop(): Promise<void> {
    if (this.#over) return;
    this.post({ do: "stop" });
    this.#end();
    const timer = setTimeout(() => void this.#worker.terminate(), END_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  readonly #hear: Hear = {
    up: ({ running, marks }) => {
      this.#running = new Int32Array(running);
      this.#marks = new Int32Array(marks);
    },
    slot: ({ slot, path }) => this.#slots.set(slot, path),
    pong: () => {
      clearTimeout(this.#pongTimer);
      this.#pongTimer = undefined;
    },
    exiting: ({ by, path }) => {
      this.#exiting = { by, path };
    },
    swollen: ({ by, path, mb }) => {
      this.#exiting = { by, path };
      this.#die("ended", `it held ${mb} MB outside of its heap`);
    },
  };

  #heard(message: FromSeat | FromThread): void {
    this.#heardAt = performance.now();
    if ("seat" in message) this.#sitters.get(message.seat)?.heard(message);
    else this.#heardOfThread(message);
  }

  #heardOfThread<Say extends FromThread["say"]>(message: Extract<FromThread, { say: Say }>): void {
    const hear: Hear[Say] = this.#hear[message.say as Say];
    hear(message);
  }

  /** While somebody waits for an answer: does the thread still say anything? */
  #listen(): void {
    this.#quietTimer ??= setTimeout(() => {
      this.#quietTimer = undefined;
      if (this.#over || this.#sitters.size < 2) return;
      const quiet = performance.now() - this.#heardAt;
      if (!this.isUp || quiet < 2 * QUIET_MS) {
        if (quiet >= QUIET_MS && this.isUp) this.post({ do: "ping" });
        if ([...this.#sitters.values()].some(({ busy }) => busy)) this.#listen();
      } else this.#clear();
    }, QUIET_MS);
  }

  /** All but the one whose code has the thread leave it. */
  #clear(): void {
    const holder = this.#marks?.[MARK_SEAT] ?? 0;
    if (!this.#sitters.has(holder)) {
      this.#listen();
      return;
    }
    this.#closed = true;
    const begun = this.#marks?.[MARK_BEGUN] ?? 0;
    for (const [seat, sitter] of [...this.#sitters]) {
      if (seat !== holder) sitter.moveAway(begun);
    }
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#pongTimer);
    clearTimeout(this.#quietTimer);
  }

  #die(kind: ThreadEnd["kind"], detail: string): void {
    if (this.#over) return;
    this.#end();
    const end = { kind, detail, culprit: this.#culprit() };
    void this.#worker.terminate();
    const sitters = [...this.#sitters];
    this.#sitters.clear();
    const holder = this.#exiting?.by ?? this.#marks?.[MARK_SEAT] ?? 0;
    const isKnown = sitters.length === 1 || sitters.some(([seat]) => seat === holder);
    if (sitters.length > 1) this.#log(`${sitters.length} sessions lose a thread: ${detail}`);
    for (const [seat, sitter] of sitters) {
      const isHolder = seat === holder || sitters.length === 1;
      if (kind !== "seam" && isHolder) sitter.ended(end);
      else sitter.lost(end, !isKnown);
    }
  }

  #culprit(): string | undefined {
    return this.#exiting?.path ?? this.#slots.get(this.#running?.[0] ?? 0);
  }
}
