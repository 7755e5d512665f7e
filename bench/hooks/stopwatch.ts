import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Start {
  readonly path: string;
  readonly args: readonly string[];
  readonly options: {
    readonly cwd?: string;
    readonly env: NodeJS.ProcessEnv;
    readonly input?: string;
  };
}

export interface Timed {
  readonly ms: number;
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Measures how long programs take, from a small process that does nothing else. */
export interface Stopwatch {
  time(start: Start): Promise<Timed>;
  end(): Promise<void>;
}

export function newStopwatch(): Stopwatch {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const script = fileURLToPath(new URL("stopwatch-process.mjs", import.meta.url));
  const child = fork(script, { env, execArgv: [] });
  return {
    async time(start) {
      const told: Promise<Timed[]> = once(child, "message");
      child.send(start);
      const [timed] = await told;
      if (!timed) throw new Error("The stopwatch said nothing.");
      return timed;
    },
    async end() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
