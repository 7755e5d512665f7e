import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../errors/index.ts";
import { endCommands, MARK } from "./left-processes.ts";

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes everything the command prints, whether to its output or its errors. */
  readonly file: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What is put before the shell that runs it, so that it cannot change everything. */
  readonly walls?: readonly string[] | undefined;
  /** More than this is a flood: the command is ended. */
  readonly maxBytes?: number | undefined;
}

export interface CommandEnd {
  /** Absent: it was ended or could not start, `reason` says why. */
  readonly exitCode?: number;
  readonly reason?: string;
  /** The end of what it printed. */
  readonly output: string;
  readonly milliseconds: number;
  /** How many processes it left behind, or had when it was ended; they were ended. */
  readonly killed: number;
}

/** Enough to see what went wrong; the file has the rest. */
const SHOWN_BYTES = 16 * 1024;
const MOST_BYTES = 256 * 1024 * 1024;
/** How often the size of the output is looked at. */
const LOOK_MS = 500;

/**
 * Runs a shell command in a process group of its own, with nothing to read, and waits until it has
 * ended. The output goes into the file without passing through this process: a flood costs no
 * memory here. Whatever it started and is still there afterwards is ended too.
 */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const { cwd, env, file, timeoutMs, signal, maxBytes = MOST_BYTES } = options;
  mkdirSync(dirname(file), { recursive: true });
  // Whoever ran it before may have been killed, and the command may still be at work.
  await endCommands({ path: file });
  const fd = openSync(file, "w", 0o600);
  const since = performance.now();
  try {
    const [program = "/bin/sh", ...words] = [...(options.walls ?? []), "/bin/sh", "-c", command];
    const started = spawn(program, words, {
      cwd,
      env: { ...env, [MARK]: file },
      detached: true,
      stdio: ["ignore", fd, fd],
    });
    const { code, stopped } = await ended(started, {
      timeoutMs,
      signal,
      isFlood: () => fstatSync(fd).size > maxBytes,
    });
    const killed = await endCommands({ group: started.pid, path: file });
    const reason =
      stopped === "flood" ? `it printed more than ${Math.round(maxBytes / 2 ** 20)} MB` : stopped;
    return {
      ...(reason === undefined && code !== undefined && { exitCode: code }),
      ...(reason !== undefined && { reason }),
      output: endOf(file),
      milliseconds: Math.round(performance.now() - since),
      killed,
    };
  } finally {
    closeSync(fd);
  }
}

interface Watch {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly isFlood: () => boolean;
}

interface Ended {
  readonly code?: number;
  /** Why it was ended, or how it ended without an exit code. */
  readonly stopped?: string;
}

/** Resolves when the command itself has ended, or when it has to be ended. Its group is not touched. */
function ended(child: ChildProcess, { timeoutMs, signal, isFlood }: Watch): Promise<Ended> {
  return new Promise((resolve) => {
    const done = (end: Ended) => {
      clearTimeout(limit);
      clearInterval(looking);
      signal?.removeEventListener("abort", onAbort);
      resolve(end);
    };
    const onAbort = () => done({ stopped: "it was cancelled" });
    const limit = setTimeout(
      () => done({ stopped: `it did not end within ${timeoutMs / 1000} s` }),
      timeoutMs,
    );
    const looking = setInterval(() => isFlood() && done({ stopped: "flood" }), LOOK_MS);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    child.on("error", (error) => done({ stopped: `it could not be started: ${messageOf(error)}` }));
    child.on("exit", (code, name) =>
      done(code === null ? { stopped: `a signal ended it: ${name}` } : { code }),
    );
  });
}

/** The last part of a file, from a whole line on where that is possible. */
export function endOf(file: string, bytes = SHOWN_BYTES): string {
  const fd = openSync(file, "r");
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - from);
    const read = readSync(fd, buffer, 0, buffer.length, from);
    const text = buffer.toString("utf8", 0, read);
    const line = from > 0 ? text.indexOf("\n") + 1 : 0;
    return text.slice(line);
  } finally {
    closeSync(fd);
  }
}
