import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "./agent.ts";

export interface NewPlace extends Place {
  remove(): void;
}

/** An empty home and a project under git, both far from the real ones. KEEP_PLACES=1 keeps them. */
export function newPlace(): NewPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agents-")));
  const home = join(root, "home");
  const cwd = join(root, "app");
  for (const folder of [home, cwd]) mkdirSync(folder);
  writeFileSync(join(cwd, "README.md"), "# app\n");
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd, stdio: "pipe", env: { ...process.env, HOME: home } });
  git("init", "--quiet", "--initial-branch=main");
  appendFileSync(join(cwd, ".git/config"), "[user]\n\tname = dev\n\temail = dev@localhost\n");
  git("add", ".");
  git("commit", "--quiet", "--message=start");
  return {
    root,
    home,
    cwd,
    remove() {
      if (!process.env.KEEP_PLACES) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
