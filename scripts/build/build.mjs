// Builds what is shipped: the doors of the package with their types, and the command.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle, finish } from "./bundle.mjs";
import { bundleDeclarations } from "./declarations.mjs";
import { writeLicences } from "./licences.mjs";
import { DOORS, PROGRAMS } from "./parts.mjs";

const folder = fileURLToPath(new URL("../../dist", import.meta.url));

// A build starts from nothing: files of sources that are gone must not be packed.
rmSync(folder, { recursive: true, force: true });
const doors = await bundle(folder, DOORS, "chunks");
const programs = await bundle(folder, PROGRAMS, "bin/chunks");
await bundleDeclarations(folder, DOORS);
writeLicences(folder, [doors, programs]);
finish(folder);
