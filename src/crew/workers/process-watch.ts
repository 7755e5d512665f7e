import { existsSync, statSync, truncateSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { agentNamed, type Headless, type News } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { readText } from "../../files/index.ts";
import { endOf as endOfFile } from "../commands/run-command.ts";
import type { AttemptEnd, Use } from "../model/run.ts";
import { endOf, type Remains, resultProblem } from "./attempt-end.ts";
import { type AttemptFiles, attemptFiles } from "./attempt-files.ts";
import { ageInMinutes, lives, type NamedProcess, processIn } from "./attempt-process.ts";
import type { AttemptSpec } from "./attempt-spec.ts";
import { overBudget } from "./budget-verdict.ts";
import { endAttempt, endedBySeam } from "./end-attempt.ts";
import { FolderChange } from "./folder-change.ts";
import { HeardHooks } from "./heard-hooks.ts";
import { Progress } from "./progress.ts";
import { StreamReader } from "./stream-reader.ts";
import { TranscriptUse, transcriptOf } from "./transcript-use.ts";
import { resultInFile } from "./typed-result.ts";

/** What those who watch an attempt are told while it works. */
export type AttemptEvent =
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "use"; readonly use: Use }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string }
  /** Whatever was heard of it: it is alive. */
  | { readonly kind: "pulse" };

interface Options {
  readonly signal: AbortSignal;
  readonly onEvent: (event: AttemptEvent) => void;
  /** An agent that prints more than this does not work. */
  readonly floodBytes?: number;
}

/** Read at one go: the thread has other attempts too. */
const MOST_AT_ONCE = { bytes: 8 * 1024 * 1024, lines: 10_000 };
const FLOOD = 512 * 1024 * 1024;
const KEPT_OF_FLOOD = 1024 * 1024;
const STDERR_TAIL = 8_000;
/** A watcher that was not woken for this long was itself stopped, for example with the machine. */
const STOPPED_MS = 30_000;
/** How long the word of a hook may be on its way when its call is already seen in the output. */
const HEARD_LATE_MS = 1_500;
const COUNT_MS = 1_000;

/** Follows one process of an attempt, and holds it to its budget, its pulse and its gate. */
export class ProcessWatch {
  readonly #spec: AttemptSpec;
  readonly #options: Options;
  readonly #files: AttemptFiles;
  readonly #headless: Headless;
  readonly #progress: Progress;
  readonly #stdout: StreamReader;
  readonly #heard: HeardHooks;
  readonly #transcript: TranscriptUse;
  /** Known as long as this watch lasts, also where its file cannot be read for a while. */
  #named: NamedProcess | undefined;
  #session: string | undefined;
  #lastUse = "";
  /** When something was last heard of it, on a clock that nobody sets. */
  #pulse = performance.now();
  #lastLook = performance.now();
  #counted = 0;
  #unheardSince: number | undefined;

  constructor(spec: AttemptSpec, options: Options) {
    const headless = agentNamed(spec.agent)?.headless;
    if (!headless) {
      const detail = "it cannot work without a terminal";
      throw new SeamError("SEAM_CREW_AGENT", { agent: spec.agent, detail });
    }
    this.#spec = spec;
    this.#options = options;
    this.#files = attemptFiles(spec.folder);
    this.#headless = headless;
    this.#progress = new Progress(headless);
    this.#stdout = new StreamReader(this.#files.stdout);
    this.#heard = new HeardHooks(this.#files.heard);
    this.#transcript = new TranscriptUse(spec);
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** What the model said last. */
  get text(): string {
    return this.#progress.text;
  }

  /** What is wrong with the result of an attempt that is done. */
  get problem(): string | undefined {
    return resultProblem(this.#remains());
  }

  async run(): Promise<AttemptEnd> {
    const change = new FolderChange(this.#spec.folder, this.#options.signal);
    try {
      for (;;) {
        this.#options.signal.throwIfAborted();
        // Looked at before the output is read: what was printed by then is read for sure.
        const isOver = this.#isOver();
        const isWhole = this.#isFlood() || this.#read();
        await this.#count(isOver);
        if (isOver && isWhole) break;
        const verdict = isOver ? undefined : this.#verdict();
        if (verdict) await endAttempt(this.#spec, verdict);
        if (isWhole) await change.next();
        else await sleep(0);
      }
    } finally {
      change.close();
    }
    this.#stdout.last((line) => this.#line(line));
    this.#tellUse();
    const end = this.#neverHeard() ?? endOf(this.#remains());
    if (this.#isFlood()) this.#cut();
    return end;
  }

  #isOver(): boolean {
    if (readText(this.#files.exit) !== undefined) return true;
    const named = this.#process();
    return !named || !lives(named);
  }

  #process(): NamedProcess | undefined {
    this.#named ??= processIn(this.#spec.folder);
    return this.#named;
  }

  /** False: there is more to read. */
  #read(): boolean {
    if (this.#heard.read()) {
      this.#beat();
      if (this.#heard.session !== undefined) this.#tellSession(this.#heard.session);
    }
    return this.#stdout.read((line) => this.#line(line), MOST_AT_ONCE);
  }

  #line(line: string): void {
    this.#beat();
    for (const news of this.#progress.take(line)) this.#tell(news);
  }

  #tell(news: News): void {
    const { onEvent } = this.#options;
    if (news.kind === "session") this.#tellSession(news.id);
    else if (news.kind === "text") onEvent(news);
    else if (news.kind === "call") onEvent(news);
    else if (news.kind === "use" || news.kind === "total") this.#tellUse();
  }

  #tellSession(session: string): void {
    if (this.#session !== undefined || session === "") return;
    this.#session = session;
    this.#options.onEvent({ kind: "session", session });
  }

  #tellUse(): void {
    const use = this.#use();
    const said = JSON.stringify({ ...use, minutes: 0 });
    if (said === this.#lastUse) return;
    this.#lastUse = said;
    this.#options.onEvent({ kind: "use", use });
  }

  /** Its output and its transcript tell of the same: the one that knows more counts. */
  #use(): Use {
    const told = this.#progress.use;
    const read = this.#transcript.use;
    const dollars = told.dollars ?? read.dollars;
    return {
      tokens: Math.max(told.tokens, read.tokens),
      turns: Math.max(told.turns, read.turns),
      minutes: this.#minutes(),
      ...(dollars !== undefined && { dollars }),
    };
  }

  #minutes(): number {
    const named = this.#process();
    return named ? ageInMinutes(named) : 0;
  }

  async #count(isOver: boolean): Promise<void> {
    const now = performance.now();
    if (!isOver && now - this.#counted < COUNT_MS) return;
    this.#counted = now;
    const { model } = this.#heard;
    const session = this.#session;
    const transcript =
      this.#heard.transcript ??
      (session === undefined ? undefined : transcriptOf(this.#spec, session));
    if (transcript === undefined) return;
    await this.#transcript.count(transcript, model);
    this.#tellUse();
  }

  #beat(): void {
    const now = performance.now();
    if (now - this.#pulse > COUNT_MS) this.#options.onEvent({ kind: "pulse" });
    this.#pulse = now;
  }

  /** Why it has to end now; undefined: it may go on. */
  #verdict(): AttemptEnd | undefined {
    const now = performance.now();
    if (now - this.#lastLook > STOPPED_MS) this.#pulse = now;
    this.#lastLook = now;
    if (this.#isFlood()) {
      const printed = `${Math.round(this.#floodBytes / 2 ** 20)} MB`;
      return { kind: "failed", reason: `It printed more than ${printed}, so it was ended.` };
    }
    const { stallMinutes, budget } = this.#spec;
    if (now - this.#pulse > stallMinutes * 60_000) {
      const time = stallMinutes === 1 ? "a minute" : `${stallMinutes} minutes`;
      return { kind: "stalled", reason: `Nothing was heard of it for ${time}.` };
    }
    return this.#ungated(now) ?? overBudget(this.#use(), budget);
  }

  /** One that was too fast to be ended has worked without a gate all the same. */
  #neverHeard(): AttemptEnd | undefined {
    this.#heard.read();
    if (this.#progress.called === 0 || this.#heard.count > 0) return undefined;
    return endedBySeam(this.#spec.folder) ?? this.#unheard();
  }

  #unheard(): AttemptEnd {
    const who = agentNamed(this.#spec.agent)?.type ?? this.#spec.agent;
    const reason = `${who} began to use tools and none of Seam's hooks was heard, so it was ended.`;
    return { kind: "ungated", reason };
  }

  /** An agent without a gate is not allowed to work. */
  #ungated(now: number): AttemptEnd | undefined {
    const { calls, called } = this.#progress;
    const { count, gated } = this.#heard;
    const isUnheard = (calls > 0 && count === 0) || (called > 0 && gated === 0);
    if (!isUnheard) {
      this.#unheardSince = undefined;
      return undefined;
    }
    this.#unheardSince ??= now;
    if (now - this.#unheardSince < HEARD_LATE_MS) return undefined;
    if (count === 0) return this.#unheard();
    const who = agentNamed(this.#spec.agent)?.type ?? this.#spec.agent;
    const reason = `${who} ran a tool that Seam's gate was not asked about, so it was ended.`;
    return { kind: "ungated", reason };
  }

  get #floodBytes(): number {
    return this.#options.floodBytes ?? FLOOD;
  }

  #isFlood(): boolean {
    return sizeOf(this.#files.stdout) + sizeOf(this.#files.stderr) > this.#floodBytes;
  }

  /** Frees the space of output that nobody is going to read. */
  #cut(): void {
    for (const path of [this.#files.stdout, this.#files.stderr]) {
      if (sizeOf(path) > KEPT_OF_FLOOD) truncateSync(path, KEPT_OF_FLOOD);
    }
  }

  #remains(): Remains {
    const exit = readText(this.#files.exit)?.trim();
    return {
      progress: this.#progress,
      exitCode: exit === undefined || exit === "" ? undefined : Number(exit),
      stderr: existsSync(this.#files.stderr) ? endOfFile(this.#files.stderr, STDERR_TAIL) : "",
      ended: endedBySeam(this.#spec.folder),
      handed: resultInFile(readText(this.#files.result)),
      schema: this.#spec.schema,
      troubles: this.#headless.troubles,
      now: Date.now(),
    };
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
