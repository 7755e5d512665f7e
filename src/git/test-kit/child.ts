import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { bundled } from "../../../test/setup/bundled.ts";

/** A script of this folder in a process of its own. */
export class Child {
  readonly process: ChildProcessWithoutNullStreams;
  #output = "";
  #errors = "";

  constructor(script: string, ...args: string[]) {
    const path = bundled(new URL(script, import.meta.url));
    this.process = spawn(process.execPath, [path, ...args]);
    this.process.stdout.on("data", (text) => {
      this.#output += text;
    });
    this.process.stderr.on("data", (text) => {
      this.#errors += text;
    });
    onTestFinished(() => void this.process.kill("SIGKILL"));
  }

  /** Waits until it has printed a line. */
  async said(): Promise<void> {
    while (!this.#output.includes("\n")) {
      if (this.process.exitCode !== null) throw new Error(`It ended: ${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Kills it, and gives the lines it had printed whole. */
  async killed(): Promise<string[]> {
    const closed = once(this.process, "close");
    this.process.kill("SIGKILL");
    await closed;
    return this.#output.split("\n").slice(0, -1);
  }

  /** The lines it printed, once it has ended by itself. */
  async finished(): Promise<string[]> {
    if (this.process.exitCode === null) await once(this.process, "close");
    if (this.process.exitCode !== 0) throw new Error(`It failed: ${this.#errors}`);
    return this.#output.split("\n").filter((line) => line !== "");
  }
}
