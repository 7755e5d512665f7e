import { spawn } from "node:child_process";
import { once } from "node:events";
import { throwIfAborted } from "../abort.ts";

/**
 * Runs a program and yields its output in records. Leaving the loop early, an abort and an error
 * all end the program.
 */
export async function* programRecords(
  program: string,
  args: readonly string[],
  options: {
    cwd: string;
    separator: "\n" | "\0";
    signal: AbortSignal | undefined;
    noneCode?: number;
  },
): AsyncGenerator<string> {
  const { cwd, separator, signal, noneCode = 0 } = options;
  throwIfAborted(signal);
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  // Awaited below; without this an early end would leave its rejection unhandled.
  closed.catch(() => {});
  const kill = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(0, 2000);
  });
  let count = 0;
  try {
    let rest = "";
    for await (const text of child.stdout.setEncoding("utf8")) {
      const records = (rest + text).split(separator);
      rest = records.pop() ?? "";
      for (const record of records) {
        count++;
        yield record;
      }
    }
    const [code] = await closed;
    throwIfAborted(signal);
    // Programs also report files they could not open; that does not spoil what they found.
    if (count === 0 && code !== 0 && code !== noneCode) {
      throw new Error(errors.trim() || `${program} ended with code ${code}`);
    }
  } finally {
    signal?.removeEventListener("abort", kill);
    kill();
  }
}
