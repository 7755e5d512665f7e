// What tests and benchmarks start: the programs, and the rooms they import, built from the sources
// as they are now. Nothing is done if that is what is there.
import { fileURLToPath } from "node:url";
import { bundle, finish, isCurrent } from "./bundle.mjs";
import { PROGRAMS, ROOMS } from "./parts.mjs";
import { buildWeb } from "./web.mjs";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/agentseam/built", import.meta.url));

export async function buildForSources() {
  if (isCurrent(FOLDER)) return;
  await bundle(FOLDER, PROGRAMS, "bin/chunks");
  await bundle(FOLDER, ROOMS, "chunks");
  await buildWeb(FOLDER);
  finish(FOLDER);
}
