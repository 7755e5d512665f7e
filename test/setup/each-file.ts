import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll } from "vitest";
import { useStarter } from "../../src/programs/index.ts";
import { environment } from "./environment.ts";
import "./patience.ts";

// Files of tests share processes. Each begins with the same variables, far from the user's settings
// and git's, and with an empty temporary folder; what it leaves in there is gone when it ends.
for (const name of Object.keys(process.env)) delete process.env[name];
for (const [name, value] of Object.entries(environment)) {
  if (!name.startsWith("GIT_") && !name.startsWith("SEAM_")) process.env[name] = value;
}

// In memory, where there is such a place: git and Seam wait for the disk after every file they write.
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const folder = mkdtempSync(join(parent, "seam-"));
// Some tests are another user for a while.
chmodSync(folder, 0o755);
// What is compiled of TypeScript on the way is the same for all of them.
const compiled = join(import.meta.dirname, "../../node_modules/.cache/agentseam/jiti");
mkdirSync(compiled, { recursive: true });
symlinkSync(compiled, join(folder, "jiti"));
const home = join(folder, "home");
mkdirSync(home);
Object.assign(process.env, {
  TMPDIR: folder,
  HOME: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
});

// A process that has run many files is large, and starting git from it takes the longer for that.
useStarter();

// What the first `beforeAll` returns is called last of all: a file may still need its own files to end.
// A program that was told to end may write until it has, which takes long on a busy machine.
beforeAll(() => () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
