import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Socket } from "node:net";
import { SeamError } from "../../errors/index.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { spawnGit } from "../run/spawn-git.ts";
import { ByteQueue } from "./byte-queue.ts";
import type { ObjectType } from "./object-id.ts";

export interface ObjectInfo {
  readonly id: string;
  readonly type: ObjectType;
  readonly size: number;
}

export interface StoredObject extends ObjectInfo {
  readonly content: Buffer;
}

/** One question to git, and who waits for the answer. */
export interface Request {
  /** Without a newline: the protocol has one request per line. */
  readonly name: Buffer;
  readonly answer: BatchReply;
  /** How often a process died over it. */
  deaths: number;
  reject(error: unknown): void;
}

/** How the one who waits wants the reply: only what an object is, or its content too. */
export type BatchReply =
  | { readonly kind: "info"; resolve(info: ObjectInfo | undefined): void }
  | {
      readonly kind: "contents";
      readonly maxBytes: number;
      resolve(object: StoredObject | undefined): void;
    };

/** How a process ended. */
export interface Death {
  readonly unanswered: Request[];
  /** Whether it ever said anything. */
  readonly wasUseful: boolean;
  /** Whether this side ended the process, so that no request is to blame. */
  readonly wasStopped: boolean;
  readonly code: number | null;
  readonly stderr: string;
  /** Why the process could not be started, if it could not. */
  readonly startError: unknown;
}

const TYPES: Readonly<Record<string, ObjectType>> = {
  blob: "blob",
  tree: "tree",
  commit: "commit",
  tag: "tag",
};

const ENVIRONMENT = {
  // What is stored is meant, not what stands in for it.
  GIT_NO_REPLACE_OBJECTS: "1",
} as const;

const STDERR_KEPT = 2000;

/** One `git cat-file` that answers requests in order. Idle, it does not keep this process alive. */
export class BatchProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Request[] = [];
  readonly #received = new ByteQueue();
  readonly #isCommand: boolean;
  readonly ended: Promise<void>;
  #header: ObjectInfo | undefined;
  #stderr = "";
  #wasUseful = false;
  #wasStopped = false;
  #isCorked = false;
  #isRetired = false;

  constructor(repo: Repo, mode: string, onDeath: (death: Death) => void) {
    this.#isCommand = mode === "--batch-command";
    const args = [...atRepo(repo), "cat-file", mode];
    this.#child = spawnGit(args, repo.commonDir, { env: ENVIRONMENT });
    let startError: unknown;
    this.ended = new Promise((resolve) => {
      const end = (code: number | null) => {
        const unanswered = this.#waiting.splice(0);
        const { stderr, wasUseful, wasStopped } = this.#state();
        onDeath({ unanswered, wasUseful, wasStopped, code, stderr, startError });
        resolve();
      };
      this.#child.once("close", end);
      this.#child.once("error", (error) => {
        startError = error;
        if (this.#child.pid === undefined) end(null);
      });
    });
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT);
    });
    this.#hold(false);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(request: Request): void {
    if (this.#waiting.push(request) === 1) this.#hold(true);
    const { stdin } = this.#child;
    if (!this.#isCorked) {
      // Requests of one moment go out in one write.
      this.#isCorked = true;
      stdin.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        stdin.uncork();
      });
    }
    if (this.#isCommand) stdin.write(`${request.answer.kind} `);
    stdin.write(request.name);
    stdin.write("\n");
  }

  /** Answers what it was asked, then ends. */
  retire(): void {
    this.#isRetired = true;
    this.#hold(true);
    this.#child.stdin.end();
  }

  #state() {
    return { stderr: this.#stderr, wasUseful: this.#wasUseful, wasStopped: this.#wasStopped };
  }

  #receive(chunk: Buffer): void {
    if (this.#wasStopped) return;
    this.#received.push(chunk);
    while (this.#waiting.length > 0 && !this.#wasStopped && this.#answerNext());
    if (this.#waiting.length === 0 && !this.#isRetired) this.#hold(false);
  }

  /** False when more has to arrive first. */
  #answerNext(): boolean {
    const [request] = this.#waiting;
    if (!request) return false;
    if (!this.#header) {
      const line = this.#received.line();
      if (line === undefined) return false;
      this.#wasUseful = true;
      this.#header = parseHeader(line);
    }
    const { answer } = request;
    const header = this.#header;
    if (!header || answer.kind === "info") {
      this.#finish();
      if (answer.kind === "info") answer.resolve(header);
      else answer.resolve(undefined);
      return true;
    }
    if (header.size > answer.maxBytes) {
      this.#finish();
      request.reject(tooBig(header, answer.maxBytes));
      // Cheaper than reading all of it only to throw it away.
      this.#wasStopped = true;
      this.#child.kill("SIGKILL");
      return false;
    }
    // The content is followed by a newline.
    const bytes = this.#received.take(header.size + 1);
    if (!bytes) return false;
    this.#finish();
    answer.resolve({ ...header, content: bytes.subarray(0, header.size) });
    return true;
  }

  #finish(): void {
    this.#waiting.shift();
    this.#header = undefined;
  }

  #hold(isBusy: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const one of [this.#child, stdin, stdout, stderr]) {
      if (one !== this.#child && !(one instanceof Socket)) continue;
      if (isBusy) one.ref();
      else one.unref();
    }
  }
}

/** Undefined for "missing", "ambiguous" and whatever else is not an object. */
function parseHeader(line: string): ObjectInfo | undefined {
  const [, id = "", word = "", size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  const type = TYPES[word];
  return type && { id, type, size: Number(size) };
}

function tooBig({ id, size }: ObjectInfo, maxBytes: number): SeamError {
  const detail = `it has ${size} bytes, more than the ${maxBytes} that are read at once`;
  return new SeamError("SEAM_GIT_OBJECT", { id, detail });
}
