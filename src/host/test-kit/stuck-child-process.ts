import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const JITI = fileURLToPath(new URL("../../../node_modules/jiti/lib/jiti-cli.mjs", import.meta.url));
const CHILD = fileURLToPath(new URL("./stuck-child.ts", import.meta.url));

type Found = Readonly<Record<string, unknown>>;

/** Plays cases one after the other in a process of its own: only a main thread can be watched. */
export class StuckChild {
  readonly #child: ChildProcess;
  readonly #found: Found[] = [];
  #errors = "";
  #over = false;

  constructor(cases: readonly unknown[]) {
    const args = [JITI, CHILD, JSON.stringify(cases)];
    this.#child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    if (this.#child.stdout) {
      createInterface(this.#child.stdout).on("line", (line) => this.#found.push(JSON.parse(line)));
    }
    this.#child.on("close", () => {
      this.#over = true;
    });
  }

  /** What the nth case came to. */
  async found(index: number): Promise<Found> {
    while (!this.#found[index] && !this.#over) await sleep(20);
    return this.#found[index] ?? { failed: `The process ended before it. ${this.#errors}` };
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}
