// What tests and benchmarks start: the programs, and the rooms they import, built from the sources
// as they are now. Nothing is done if that is what is there.
import { fileURLToPath } from "node:url";
import { bundle, finish, isCurrent } from "./bundle.mjs";
import { inPlace } from "./in-place.mjs";
import { HOOKS, ROOMS } from "./parts.mjs";
import { bundlePrograms } from "./programs.mjs";
import { buildWeb } from "./web.mjs";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/agentseam/built", import.meta.url));

export async function buildForSources() {
  if (isCurrent(FOLDER)) return;
  await inPlace(FOLDER, async (made) => {
    await bundlePrograms(made);
    await bundle(made, HOOKS, "resolve-seam/chunks");
    await bundle(made, ROOMS, "chunks");
    await buildWeb(made);
    finish(made);
  });
}
