import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { bundled } from "../../../../test/setup/bundled.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** A script of this folder in a process of its own, as another user if asked. */
export async function runChild(script: string, args: string[], uid?: number): Promise<Ended> {
  const child = spawn(process.execPath, [bundled(new URL(script, import.meta.url)), ...args], {
    cwd: tmpdir(),
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const [code, signal] = await once(child, "close");
  return { code, signal, output };
}
