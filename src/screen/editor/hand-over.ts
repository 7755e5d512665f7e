import { spawn } from "node:child_process";

interface HandOverOptions {
  readonly cwd?: string;
  /** What a program says about its failure can be read until the user presses enter. */
  readonly waitsAfterFailure?: boolean;
}

/** Gives the terminal to another program until it ends. Its exit code; null: it did not start or was killed. */
export async function handOver(
  screen: { stop(): void; start(): void },
  [program = "", ...args]: readonly string[],
  { cwd = process.cwd(), waitsAfterFailure = false }: HandOverOptions = {},
): Promise<number | null> {
  screen.stop();
  try {
    const child = spawn(program, args, { cwd, stdio: "inherit" });
    const code = await new Promise<number | null>((done) => {
      child.once("error", () => done(null));
      child.once("exit", done);
    });
    if (code !== 0 && waitsAfterFailure) await enter(`${program} did not end well.`);
    return code;
  } finally {
    screen.start();
  }
}

/** Waits for a line, or for the end of all lines. */
async function enter(why: string): Promise<void> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return;
  stdout.write(`\n${why} Enter goes back to Seam. `);
  await new Promise<void>((done) => {
    const heard = () => {
      stdin.off("data", heard).off("end", heard).pause();
      done();
    };
    stdin.on("data", heard).on("end", heard).resume();
  });
}
