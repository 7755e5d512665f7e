import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { BUNDLE } from "../../scripts/build/bundle.mjs";

/** A script with all it imports in one file: a process that reads hundreds takes seconds to start. */
export function bundled(script: URL): string {
  const path = fileURLToPath(script);
  const outfile = join(tmpdir(), "bundled", `${basename(path, ".ts")}.mjs`);
  if (existsSync(outfile)) return outfile;
  // In one piece: what the command's parts share is of no use here.
  buildSync({ ...BUNDLE, splitting: false, entryPoints: [path], outfile });
  return outfile;
}
