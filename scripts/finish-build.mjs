// The last step of a build: the command is made executable, and the build is marked as complete.
import { chmodSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
for (const name of ["bin/seam.js", "cli/main.js"]) chmodSync(new URL(name, dist), 0o755);
writeFileSync(new URL(".built", dist), "");
