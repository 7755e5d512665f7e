import { type ChildProcess, execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SEAM = join(import.meta.dirname, "../../dist/bin/seam.js");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for something that comes without being called. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<boolean> {
  for (const deadline = Date.now() + ms; !(await isSo()); ) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

/**
 * A user's home with the built Seam in it: its hook client, which starts a real daemon, and room
 * for repositories. Nothing of it is replaced by something simpler.
 */
export class Machine {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "seam-e2e-")));
  readonly home = join(this.base, "home");
  readonly store: string;
  readonly agents: ChildProcess[] = [];

  /** The built command. */
  readonly #seam: string;

  /** `seam`: the command of another build. */
  constructor(store?: string, seam = SEAM) {
    this.store = store ?? join(this.home, ".seam");
    this.#seam = seam;
    mkdirSync(this.home);
  }

  get env(): NodeJS.ProcessEnv {
    const { PATH = "", TMPDIR } = process.env;
    return {
      PATH,
      ...(TMPDIR !== undefined && { TMPDIR }),
      HOME: this.home,
      SEAM_HOME: this.store,
      NO_COLOR: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_EDITOR: "true",
      GIT_SEQUENCE_EDITOR: "true",
      GIT_AUTHOR_NAME: "Test User",
      GIT_AUTHOR_EMAIL: "test@example.com",
      GIT_COMMITTER_NAME: "Test User",
      GIT_COMMITTER_EMAIL: "test@example.com",
    };
  }

  run(cwd: string, program: string, ...args: readonly string[]): Promise<Ran> {
    const options = { cwd, env: this.env, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
    return new Promise((done) => {
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        done({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr });
      });
      child.stdin?.end();
    });
  }

  seam(cwd: string, ...args: readonly string[]): Promise<Ran> {
    return this.run(cwd, process.execPath, this.#seam, ...args);
  }

  /** The daemon's process; undefined if there is none. */
  get daemon(): number | undefined {
    return daemonOf(this.store);
  }

  /** Everything the daemon has said. */
  get log(): string {
    return this.#text("daemon.log");
  }

  /** Resolves when all the daemon was told is recorded; false if there is no daemon. */
  async recorded(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.#text("port").trim()}/v1/recorded`;
    const headers = { "x-seam-token": this.#text("token") };
    try {
      return (await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })).ok;
    } catch {
      return false;
    }
  }

  /** Ends the daemon without a word, at whatever it is. */
  async kill(): Promise<void> {
    await killDaemon(this.store);
  }

  async remove(): Promise<void> {
    for (const child of this.agents.splice(0)) child.kill("SIGKILL");
    await this.kill();
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }

  #text(name: string): string {
    return textOf(this.store, name);
  }
}

/** A file of the daemon of a user's Seam folder; "" if it is not there. */
function textOf(store: string, name: string): string {
  try {
    return readFileSync(join(store, "run", name), "utf8");
  } catch {
    return "";
  }
}

export function daemonOf(store: string): number | undefined {
  const pid = Number.parseInt(textOf(store, "pid"), 10);
  return existsSync(`/proc/${pid}/stat`) ? pid : undefined;
}

/** Ends the daemon of a user's Seam folder, if there is one, without starting a command for it. */
export async function killDaemon(store: string): Promise<void> {
  const pid = daemonOf(store);
  if (pid === undefined) return;
  process.kill(pid, "SIGKILL");
  await until(() => isGone(pid));
}

/** Ended processes stay as zombies where nobody asks for them. */
function isGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}
