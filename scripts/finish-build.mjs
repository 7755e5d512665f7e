// The last step of a build: what is not compiled is added, the command is made executable, and the
// build is marked as complete.
import { chmodSync, copyFileSync, cpSync, writeFileSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
const src = new URL("../src/", import.meta.url);
for (const name of ["hook.sh", "ring.pl", "hook.cjs", "try-client.cjs"]) {
  const path = `daemon/client/${name}`;
  copyFileSync(new URL(path, src), new URL(path, dist));
}
cpSync(new URL("daemon/client/native/", src), new URL("daemon/client/native/", dist), {
  recursive: true,
});
for (const name of ["bin/seam.js", "cli/main.js"]) chmodSync(new URL(name, dist), 0o755);
writeFileSync(new URL(".built", dist), "");
