// Builds what is shipped: the doors of the package with their types, the command, and the page.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle, finish } from "./bundle.mjs";
import { bundleDeclarations } from "./declarations.mjs";
import { writeLicences } from "./licences.mjs";
import { DOORS, PROGRAMS } from "./parts.mjs";
import { throughIndexes } from "./through-indexes.mjs";
import { buildWeb } from "./web.mjs";

const folder = fileURLToPath(new URL("../../dist", import.meta.url));
const sources = fileURLToPath(new URL("../../src/", import.meta.url));

// A build starts from nothing: files of sources that are gone must not be packed.
rmSync(folder, { recursive: true, force: true });
// Whoever imports one name of a door loads what that name needs; a command loads its rooms whole, in
// as few files as possible.
const doors = await bundle(folder, DOORS, "chunks", [throughIndexes(sources)]);
const programs = await bundle(folder, PROGRAMS, "bin/chunks");
await bundleDeclarations(folder, DOORS);
const web = await buildWeb(folder);
writeLicences(folder, [doors, programs, web]);
finish(folder);
