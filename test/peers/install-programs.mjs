// Makes sure that there are the programs the tests need: Debian's, where one is missing.
import { spawnSync } from "node:child_process";

const PROGRAMS = [
  // Pi and Seam are looked at beside each other in it.
  { program: "tmux", version: "-V", debian: "tmux" },
  // The grep of Pi starts it, and would download it.
  { program: "rg", version: "--version", debian: "ripgrep" },
  // Keeps the agents of a crew inside of their worktrees. Tests of that are left out where it is missing.
  { program: "bwrap", version: "--version", debian: "bubblewrap" },
];

const missing = PROGRAMS.filter(
  ({ program, version }) => spawnSync(program, [version]).status !== 0,
).map(({ debian }) => debian);
if (missing.length > 0) {
  const names = missing.join(" and ");
  process.stderr.write(`Installing ${names} …\n`);
  const run = (args) => spawnSync("apt-get", args, { stdio: ["ignore", 2, 2] }).status;
  const flags = ["-y", "-qq", "--no-install-recommends"];
  if (run(["update", "-qq"]) !== 0 || run(["install", ...flags, ...missing]) !== 0) {
    process.stderr.write(
      `Not everything could be installed. Install ${names}, and run this again.\n`,
    );
    process.exit(1);
  }
}
