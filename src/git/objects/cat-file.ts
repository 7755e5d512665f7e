import { SeamError } from "../../errors/index.ts";
import { atRepo, type Repo } from "../repo/repo.ts";
import { runGit } from "../run/run-git.ts";
import { startError } from "../run/spawn-git.ts";
import {
  BatchProcess,
  type Death,
  type ObjectInfo,
  type Request,
  type StoredObject,
} from "./batch-process.ts";
import { isFresh, type PackStamp, packStamp } from "./pack-stamp.ts";

/** What is read into memory unless the caller allows more. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Processes in a row that end without a word: the repository is gone or cannot be read at all. */
const SILENT_DEATHS = 5;

type Mode = "--batch-command" | "--batch" | "--batch-check";

/** git before 2.36 has one program for looking and one for reading. */
let hasBatchCommand = true;

/**
 * Reads objects through a git that stays. Requests are answered in order and may be sent without
 * waiting for each other. A process that dies is started again, and what it had not answered is
 * asked once more.
 *
 * A name is anything git understands: an id, `HEAD^{tree}`, `<commit>:<path>`. A string is sent as
 * UTF-8; paths that are not need a Buffer.
 */
export class CatFile {
  readonly #repo: Repo;
  readonly #lanes = new Map<Mode, { process: BatchProcess; stamp: PackStamp }>();
  #silentDeaths = 0;
  #isClosed = false;

  constructor(repo: Repo) {
    this.#repo = repo;
  }

  /** The processes that run now. */
  get pids(): number[] {
    return [...this.#lanes.values()].flatMap(({ process }) => process.pid ?? []);
  }

  /** Undefined when there is no such object. */
  async info(name: string | Buffer): Promise<ObjectInfo | undefined> {
    const line = await this.#asLine(name);
    if (!line) return undefined;
    return new Promise((resolve, reject) => {
      this.#send({ name: line, answer: { kind: "info", resolve }, deaths: 0, reject });
    });
  }

  /** Undefined when there is no such object. Throws when it has more than `maxBytes`. */
  async read(
    name: string | Buffer,
    { maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {},
  ): Promise<StoredObject | undefined> {
    const line = await this.#asLine(name);
    if (!line) return undefined;
    return new Promise((resolve, reject) => {
      const answer = { kind: "contents", maxBytes, resolve } as const;
      this.#send({ name: line, answer, deaths: 0, reject });
    });
  }

  /** Answers what was asked already, then ends. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const processes = [...this.#lanes.values()].map(({ process }) => process);
    for (const process of processes) process.retire();
    await Promise.all(processes.map(({ ended }) => ended));
  }

  /** A request is one line, so a name with a newline in it has to be looked up in another way. */
  async #asLine(name: string | Buffer): Promise<Buffer | undefined> {
    const bytes = Buffer.from(name);
    if (bytes.length === 0 || bytes.includes(0)) return undefined;
    if (!bytes.includes(0x0a)) return bytes;
    const path = bytes.indexOf(":");
    if (path < 0 || bytes.subarray(0, path).includes(0x0a)) return undefined;
    return this.#resolvePath(bytes.subarray(0, path), bytes.subarray(path + 1));
  }

  /** Arguments of a program are strings in UTF-8, which a path need not be: ls-tree lists all. */
  async #resolvePath(rev: Buffer, path: Buffer): Promise<Buffer | undefined> {
    const cwd = this.#repo.commonDir;
    const args = [...atRepo(this.#repo), "ls-tree", "-r", "-t", "-z", "--full-tree"];
    if (rev.toString().startsWith("-")) return undefined;
    const { stdout, code } = await runGit([...args, rev.toString()], { cwd });
    if (code !== 0) return undefined;
    const end = Buffer.concat([Buffer.from("\t"), path, Buffer.from("\0")]);
    const at = stdout.indexOf(end);
    if (at < 0) return undefined;
    const entry = stdout.toString("latin1", stdout.lastIndexOf(0, at) + 1, at);
    const id = entry.split(" ")[2];
    return id === undefined ? undefined : Buffer.from(id);
  }

  #send(request: Request): void {
    if (this.#isClosed) {
      request.reject(unusable(request, "the reader was closed"));
      return;
    }
    const mode: Mode = hasBatchCommand
      ? "--batch-command"
      : request.answer.kind === "info"
        ? "--batch-check"
        : "--batch";
    this.#lane(mode).send(request);
  }

  #lane(mode: Mode): BatchProcess {
    const stamp = packStamp(this.#repo);
    const known = this.#lanes.get(mode);
    if (known && isFresh(known.stamp, stamp)) return known.process;
    known?.process.retire();
    const process = new BatchProcess(this.#repo, mode, (death) => {
      if (this.#lanes.get(mode)?.process === process) this.#lanes.delete(mode);
      this.#bury(mode, death);
    });
    this.#lanes.set(mode, { process, stamp });
    return process;
  }

  #bury(mode: Mode, death: Death): void {
    const { unanswered, wasUseful, wasStopped, code, stderr } = death;
    if (wasUseful || unanswered.length === 0) this.#silentDeaths = 0;
    const [first] = unanswered;
    if (!first) return;
    if (death.startError !== undefined) {
      const error = startError(death.startError, ["cat-file"], this.#repo.commonDir);
      for (const request of unanswered) request.reject(error);
    } else if (mode === "--batch-command" && code === 129) {
      hasBatchCommand = false;
      for (const request of unanswered) this.#send(request);
    } else if (!wasUseful && ++this.#silentDeaths >= SILENT_DEATHS) {
      for (const request of unanswered) request.reject(unusable(request, stderr));
    } else {
      const isAnswered = !wasStopped && this.#isToBlame(first, stderr);
      for (const request of unanswered.slice(isAnswered ? 1 : 0)) this.#send(request);
    }
  }

  /** Whether the process died of this request; if so, it is answered. */
  #isToBlame(request: Request, stderr: string): boolean {
    if (/promisor remote/.test(stderr)) {
      request.answer.resolve(undefined);
      return true;
    }
    if (++request.deaths < 2) return false;
    request.reject(unusable(request, stderr));
    return true;
  }
}

function unusable({ name }: Request, stderr: string): SeamError {
  const detail = stderr.trim() || "git ended without a word";
  return new SeamError("SEAM_GIT_OBJECT", { id: name.toString(), detail });
}
