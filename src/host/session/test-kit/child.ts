import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { bundled } from "../../../../test/setup/bundled.ts";

/** A script of this folder in a process of its own, with the lines it prints. */
export class Child {
  readonly lines: string[] = [];
  readonly process: ChildProcessWithoutNullStreams;
  #errors = "";

  constructor(script: string, ...args: string[]) {
    const path = bundled(new URL(script, import.meta.url));
    this.process = spawn(process.execPath, [path, ...args]);
    this.process.stderr.on("data", (text) => {
      this.#errors += text;
    });
    createInterface(this.process.stdout).on("line", (text) => this.lines.push(text));
    onTestFinished(() => void this.process.kill("SIGKILL"));
  }

  /** The first line it prints. */
  async said(): Promise<string> {
    while (this.lines.length === 0) {
      if (this.process.exitCode !== null) throw new Error(`It ended: ${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.lines[0] ?? "";
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const closed = once(this.process, "close");
    this.process.kill(signal);
    await closed;
  }
}
