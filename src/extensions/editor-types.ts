import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { replaceFile } from "../files/index.ts";
import { builtFile } from "../settings/index.ts";

/** The line by which Seam knows its own file again. */
const MARK = "// Written by Seam for editors, and kept current. Without this line it is yours.";

/**
 * Puts a tsconfig.json into a folder of extensions, so that editors find the types of `agentseam`
 * and `typebox` where nothing is installed. One that is not Seam's stays as it is.
 */
export function keepEditorTypes(folder: string): void {
  const path = join(folder, "tsconfig.json");
  const text = `${MARK}\n${JSON.stringify(configuration(), null, 2)}\n`;
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (before === text || (before !== undefined && !before.startsWith(MARK))) return;
  replaceFile(path, text);
}

/** The same for the user's own extensions, if there are any: the package may be elsewhere now. */
export function refreshEditorTypes(home: string): void {
  const folder = join(home, "extensions");
  try {
    if (existsSync(folder)) keepEditorTypes(folder);
  } catch {
    // An editor without types is no reason for anything else not to work.
  }
}

function configuration() {
  const require = createRequire(import.meta.url);
  const types = dirname(builtFile(".built"));
  const door = (name: string) => [join(types, `${name}.d.ts`)];
  return {
    compilerOptions: {
      target: "es2023",
      lib: ["es2023"],
      module: "esnext",
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      typeRoots: [dirname(dirname(require.resolve("@types/node/package.json")))],
      types: ["node"],
      paths: {
        agentseam: door("agentseam"),
        "agentseam/host": door("host"),
        "agentseam/agents": door("agents"),
        "agentseam/testing": door("testing"),
        typebox: [require.resolve("typebox").replace(/\.mjs$/, ".d.mts")],
      },
    },
    include: ["."],
  };
}
