import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../errors/index.ts";
import { isRunning } from "../../files/index.ts";
import { fileOfId, parseSpoolName, type SpoolName } from "./spool-name.ts";

/** A hook as a client left it. */
export interface Spooled extends SpoolName {
  readonly name: string;
  /** The same file always has the same id; another file of the same name has another. */
  readonly id: string;
  /** When the client was done with it. */
  readonly at: Date;
  readonly text: string;
}

/** A bigger file does not fit into a string, and is not a hook. */
const LARGEST = 400 * 1024 * 1024;

/** A client that takes longer than this is another process with the same number. */
const LONGEST_CLIENT_MS = 15 * 60_000;

/** The folder in which clients leave what their agent said, before they ring. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined if the file is gone or was never there. */
  read(name: string): Spooled | undefined {
    const parsed = parseSpoolName(name);
    if (!parsed) return undefined;
    let fd: number;
    try {
      fd = openSync(join(this.#folder, name), "r");
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
    try {
      const stats = fstatSync(fd, { bigint: true });
      const text =
        stats.size > LARGEST ? `too large: ${stats.size} bytes` : readFileSync(fd, "utf8");
      const at = new Date(Number(stats.mtimeMs));
      return { ...parsed, name, id: idOf(name, stats.mtimeNs), at, text };
    } finally {
      closeSync(fd);
    }
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  /** Files whose client is gone: nobody will ring for them. Oldest first. */
  leftovers(): string[] {
    const found = readdirSync(this.#folder).flatMap((name) => {
      const parsed = parseSpoolName(name);
      if (!parsed) return [];
      const mtimeMs = statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs;
      if (mtimeMs === undefined || this.#isAtWork(parsed, mtimeMs)) return [];
      return [{ name, mtimeMs }];
    });
    return found.sort((a, b) => a.mtimeMs - b.mtimeMs).map(({ name }) => name);
  }

  /** What became of the file an id was made for. */
  stateOf(id: string): "gone" | "awaited" | "left" {
    const name = fileOfId(id);
    const parsed = name === undefined ? undefined : parseSpoolName(name);
    if (name === undefined || !parsed) return "gone";
    const stats = statSync(join(this.#folder, name), { bigint: true, throwIfNoEntry: false });
    if (!stats || idOf(name, stats.mtimeNs) !== id) return "gone";
    return this.#isAtWork(parsed, Number(stats.mtimeMs)) ? "awaited" : "left";
  }

  #isAtWork({ client }: SpoolName, mtimeMs: number): boolean {
    return Date.now() - mtimeMs < LONGEST_CLIENT_MS && isRunning(client);
  }
}

/**
 * A hook whose client sent what it would have left, under the name and the time that its file has if
 * it leaves one after all: the id is the same. Undefined for what no client sends.
 */
export function asSpooled(id: string, text: string): Spooled | undefined {
  const [name = "", time = ""] = id.split("@");
  const parsed = parseSpoolName(name);
  const at = new Date(Number(time) / 1e6);
  if (!parsed || time === "" || Number.isNaN(at.getTime())) return undefined;
  return { ...parsed, name, id: idOf(name, BigInt(time)), at, text };
}

function idOf(name: string, mtimeNs: bigint): string {
  return `${name}@${mtimeNs}`;
}
