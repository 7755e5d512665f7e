import { spawn } from "node:child_process";

/** Gives the terminal to another program until it ends. Its exit code; null: it did not start or was killed. */
export async function handOver(
  screen: { stop(): void; start(): void },
  [program = "", ...args]: readonly string[],
  cwd: string = process.cwd(),
): Promise<number | null> {
  screen.stop();
  try {
    const child = spawn(program, args, { cwd, stdio: "inherit" });
    return await new Promise<number | null>((done) => {
      child.once("error", () => done(null));
      child.once("exit", done);
    });
  } finally {
    screen.start();
  }
}
