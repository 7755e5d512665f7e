// Makes sure that there is a Chromium for the tests of the page: Debian's, where it is missing.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const own = process.env.CHROMIUM;

if (!own && !PLACES.some((path) => existsSync(path))) {
  process.stderr.write("Installing Chromium …\n");
  const run = (args) => spawnSync("apt-get", args, { stdio: ["ignore", 2, 2] }).status;
  const flags = ["-y", "-qq", "--no-install-recommends"];
  if (
    run(["update", "-qq"]) !== 0 ||
    run(["install", ...flags, "chromium", "fonts-dejavu"]) !== 0
  ) {
    process.stderr.write("Chromium could not be installed. Install it, or name one in CHROMIUM.\n");
    process.exit(1);
  }
}
