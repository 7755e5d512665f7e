import { type ChildProcess, spawn } from "node:child_process";

/** Keeps the last line it was given, and prints it when nobody holds the other end any more. */
const SCRIPT = 'while IFS= read -r line; do text=$line; done; printf "%b" "$text"';

/**
 * Restores the terminal after this process was killed in a way that it cannot notice, such as by
 * SIGKILL or for want of memory. A shell in a session of its own waits for the end of its input, which
 * comes when this process is gone. Modes of the line stay as they are: the user's shell resets those.
 */
export class KillGuard {
  readonly #output: number;
  #shell: ChildProcess | undefined;

  /** `output` is the descriptor of the terminal. */
  constructor(output: number) {
    this.#output = output;
  }

  /** From now on `text` is written to the terminal if this process disappears. */
  restoreWith(text: string): void {
    this.#shell ??= this.#start();
    // With all of its digits: one that follows in the text would count as one of them.
    const line = text.replaceAll("\u001b", "\\0033").replaceAll("\n", "\\n");
    this.#shell.stdin?.write(`${line}\n`);
  }

  /** This process restores the terminal itself. */
  stop(): void {
    this.#shell?.kill("SIGKILL");
    this.#shell = undefined;
  }

  #start(): ChildProcess {
    const shell = spawn("/bin/sh", ["-c", SCRIPT], {
      // It must not end with a whole group of processes that is killed.
      detached: true,
      stdio: ["pipe", this.#output, "ignore"],
    });
    // Without a shell nobody watches, and everything else is as it was.
    shell.on("error", () => {});
    shell.stdin?.on("error", () => {});
    shell.unref();
    return shell;
  }
}
