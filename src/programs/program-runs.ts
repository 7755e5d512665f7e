import { type ChildProcess, spawn } from "node:child_process";
import { messageOf, systemCode } from "../errors/index.ts";
import type { Order, Program, Told } from "./protocol.ts";

interface Running {
  readonly child: ChildProcess;
  /** Somebody wants it to end. */
  isStopped: boolean;
}

/** Runs programs as it is told, and tells what became of them. */
export class ProgramRuns {
  readonly #tell: (told: Told) => void;
  readonly #running = new Map<number, Running>();

  constructor(tell: (told: Told) => void) {
    this.#tell = tell;
  }

  take(order: Order): void {
    if (order.do === "run") {
      this.#run(order.id, order.program);
      return;
    }
    const running = this.#running.get(order.id);
    if (!running) return;
    running.isStopped = true;
    running.child.kill(order.signal);
  }

  #run(id: number, { path, args, cwd, env, input }: Program): void {
    try {
      const child = spawn(path, [...args], { cwd, env, stdio: "pipe", windowsHide: true });
      const running: Running = { child, isStopped: false };
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      const ended = (code: number | null, signal: NodeJS.Signals | null) => {
        if (!this.#running.delete(id)) return;
        const end = { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code, signal };
        this.#tell({ id, end });
      };
      this.#running.set(id, running);
      child.on("error", (error) => this.#failed(id, error));
      child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
      // A helper that it left behind may hold the pipes open: nobody waits for it after a stop.
      child.on("exit", (code, signal) => running.isStopped && ended(code, signal));
      child.on("close", ended);
      // It may end before it has read everything; its exit code says more than a broken pipe.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    } catch (error) {
      // Arguments that are too long, for instance.
      this.#running.delete(id);
      this.#tell({ id, failed: failureOf(error) });
    }
  }

  #failed(id: number, error: unknown): void {
    if (this.#running.delete(id)) this.#tell({ id, failed: failureOf(error) });
  }
}

function failureOf(error: unknown) {
  const code = systemCode(error);
  return { message: messageOf(error), ...(code !== undefined && { code }) };
}
