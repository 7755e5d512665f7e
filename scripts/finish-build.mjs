// The last step of a build: the command is made executable, and the build is marked as complete.
import { chmodSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
chmodSync(new URL("cli/main.js", dist), 0o755);
writeFileSync(new URL(".built", dist), "");
