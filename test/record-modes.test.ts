import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";

let machine: Machine;
afterEach(() => machine.remove());

/** Everything below a folder that somebody of the same group could not read. */
function closed(top: string): string[] {
  const names = readdirSync(top, { recursive: true, withFileTypes: true });
  return names
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => {
      const { mode } = statSync(path);
      const needed = statSync(path).isDirectory() ? 0o050 : 0o040;
      return (mode & needed) !== needed;
    })
    .map((path) => relative(top, path));
}

/** The hooks set a strict umask for what is Seam's; whoever starts the daemon, git hooks included. */
it.each(["an agent's hook", "a git hook"])(
  "what a daemon started by %s writes into a repository can be read like the rest",
  async (starter) => {
    machine = new Machine();
    const before = process.umask(0o022);
    try {
      const repo = await Checkout.create(machine);
      const agent = await new Agent(repo).start();
      await agent.prompt("Go");
      await agent.write("a.ts", "export const a = 1;\n");
      if (starter === "a git hook") await machine.kill();
      await agent.bash("git add -A && git commit -q -m Work");
      await agent.stop();
      await repo.checkpointAt();
      await agent.turn("More", () => agent.write("b.ts", "export const b = 1;\n"));
      await machine.recorded();
      for (const part of ["objects", "refs", "hooks"]) {
        expect([part, closed(join(repo.root, ".git", part))]).toEqual([part, []]);
      }
      // What is Seam's own is for the user alone.
      expect(statSync(machine.store).mode & 0o077).toBe(0);
      mkdirSync(join(repo.root, ".git/seam/sessions"), { recursive: true });
      const states = readdirSync(join(repo.root, ".git/seam/sessions"), { withFileTypes: true });
      for (const one of states.filter((entry) => entry.isFile())) {
        expect(statSync(join(one.parentPath, one.name)).mode & 0o077).toBe(0);
      }
    } finally {
      process.umask(before);
    }
  },
);
