// Makes sure that there is a Postgres for the tests of crews on several machines: Debian's, where it is missing.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const VERSIONS = "/usr/lib/postgresql";

if (!existsSync(VERSIONS) || readdirSync(VERSIONS).length === 0) {
  process.stderr.write("Installing Postgres …\n");
  const run = (args) => spawnSync("apt-get", args, { stdio: ["ignore", 2, 2] }).status;
  const flags = ["-y", "-qq", "--no-install-recommends"];
  if (run(["update", "-qq"]) !== 0 || run(["install", ...flags, "postgresql"]) !== 0) {
    process.stderr.write("Postgres could not be installed. Install it, and run this again.\n");
    process.exit(1);
  }
}
