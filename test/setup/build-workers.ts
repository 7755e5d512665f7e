import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BUNDLE, WORKERS } from "../../scripts/workers.mjs";

/** Builds the files that run in threads of their own from the sources that are about to be tested. */
export default async function buildWorkers(): Promise<void> {
  const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const entries = Object.entries(WORKERS).map(([name, path]) => [name, at(`src/${path}.ts`)]);
  await build({
    ...BUNDLE,
    entryPoints: Object.fromEntries(entries),
    outdir: at("node_modules/.cache/agentseam/workers"),
  });
}
