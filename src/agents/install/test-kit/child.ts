import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** Each script in one file: a process that reads hundreds takes seconds to start. */
function bundle(script: string): string {
  const outfile = join(tmpdir(), "children", `${script}.mjs`);
  if (existsSync(outfile)) return outfile;
  buildSync({
    entryPoints: [fileURLToPath(new URL(script, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  return outfile;
}

/** A script of this folder in a process of its own, as another user if asked. */
export async function runChild(script: string, args: string[], uid?: number): Promise<Ended> {
  const child = spawn(process.execPath, [bundle(script), ...args], {
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
