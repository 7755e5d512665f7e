import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { SeamError, systemCode } from "../../errors/index.ts";
import type { Ran } from "../api.ts";

/** A command that goes on with a session, where it is to run, and in which terminal. */
export interface RunWish {
  readonly command: readonly string[];
  readonly folder: string | undefined;
  /** Names the session of tmux. */
  readonly name: string;
  /** A program and its arguments that show a command in a window of its own. */
  readonly terminal: readonly string[] | undefined;
}

/**
 * Runs a command where a person can go on with it: in the terminal that the user's settings name, or
 * else in a session of tmux in the background. No shell reads the command.
 */
export async function runCommand({ command, folder, name, terminal }: RunWish): Promise<Ran> {
  if (folder === undefined || !existsSync(folder))
    throw cannot("the folder of the session is gone");
  // Such a command wants to be told something.
  if (command.at(-1) === "-p") throw cannot("it needs a prompt: copy the command and add it");
  const [program, ...args] = terminal ?? [];
  if (program !== undefined) {
    await start(program, [...args, ...command], folder);
    return { in: "terminal" };
  }
  const attach = `tmux attach -t ${name}`;
  if (await tmux(["has-session", "-t", `=${name}`])) return { in: "tmux", attach };
  const isUp = await tmux(["new-session", "-d", "-s", name, "-c", folder, ...command]);
  if (!isUp) throw cannot("tmux could not start it");
  return { in: "tmux", attach };
}

/** False: tmux says no. Throws if there is no tmux. */
function tmux(args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile("tmux", [...args], { timeout: 10_000 }, (error) => {
      if (error && systemCode(error) === "ENOENT") {
        reject(cannot("there is no tmux, and no terminal is set"));
      } else resolve(error === null);
    });
  });
}

/** Resolves once the program runs; it outlives the daemon. */
function start(program: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, detached: true, stdio: "ignore" });
    child.once("error", () => reject(cannot(`${program} could not be started`)));
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
}

const cannot = (detail: string) => new SeamError("SEAM_VIEW_RUN", { detail });
