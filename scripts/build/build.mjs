// Builds what is shipped: the doors of the package with their types, the command, and the page.
import { fileURLToPath } from "node:url";
import { bundle, finish } from "./bundle.mjs";
import { bundleDeclarations } from "./declarations.mjs";
import { inPlace } from "./in-place.mjs";
import { writeLicences } from "./licences.mjs";
import { DOORS, HOOKS } from "./parts.mjs";
import { bundlePrograms } from "./programs.mjs";
import { throughIndexes } from "./through-indexes.mjs";
import { buildWeb } from "./web.mjs";

const folder = fileURLToPath(new URL("../../dist", import.meta.url));
const sources = fileURLToPath(new URL("../../src/", import.meta.url));

// A build starts from nothing: files of sources that are gone must not be packed.
await inPlace(folder, async (made) => {
  // Whoever imports one name of a door loads what that name needs; a command loads its rooms whole, in
  // as few files as possible.
  const doors = await bundle(made, DOORS, "chunks", [throughIndexes(sources)]);
  const programs = await bundlePrograms(made);
  await bundle(made, HOOKS, "resolve-seam/chunks");
  await bundleDeclarations(made, DOORS);
  const web = await buildWeb(made);
  writeLicences(made, [doors, programs, web]);
  finish(made);
});
