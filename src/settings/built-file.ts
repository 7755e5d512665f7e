import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "./paths.ts";

/** What a build holds beside the code that runs; `scripts/build/parts.mjs` says what each is made from. */
export type BuiltFile =
  | "bin/seam.js"
  | "bin/extension-thread.js"
  | "bin/record-worker.js"
  | "bin/search-worker.js"
  | "bin/view-worker.js"
  | "bin/mcp-thread.js"
  | "bin/mcp-pipe.js"
  | "bin/crew-thread.js"
  | "bin/starter.js"
  | "bin/check-worker.js"
  | "bin/watchdog-thread.js"
  | "resolve-seam/register.js"
  | "client"
  | "web"
  | ".built";

/** Tests run the sources: what they start is built from the same sources before the first test. */
const FROM_SOURCES = "node_modules/.cache/agentseam/built";

/** The last file that a build writes: the folder it is in is the build's. */
const MARK = ".built";

/** Where a part of Seam is: always of the same build as the code that asks for it. */
export function builtFile(name: BuiltFile): string {
  folder ??= builtFolder();
  return join(folder, name);
}

/** The folder is looked up once: it cannot be found while the package is being replaced. */
let folder: string | undefined;

function builtFolder(): string {
  const own = fileURLToPath(import.meta.url);
  if (own.endsWith(".ts")) return join(packageRoot(), FROM_SOURCES);
  let dir = dirname(own);
  while (!existsSync(join(dir, MARK)) && dir !== packageRoot() && dirname(dir) !== dir) {
    dir = dirname(dir);
  }
  return dir;
}
