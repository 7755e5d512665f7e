import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildForSources } from "../../scripts/build/for-sources.mjs";

const SETUP = fileURLToPath(new URL("../../scripts/setup.mjs", import.meta.url));

/**
 * Builds what the tests start in threads and processes from the sources that are about to be tested,
 * and the bundle that ships, which tests of commands start.
 */
export default async function buildPrograms(): Promise<void> {
  execFileSync(process.execPath, [SETUP], { stdio: ["ignore", "inherit", "inherit"] });
  await buildForSources();
}
