import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeProject, trust } from "../../extensions/index.ts";
import { withdraw } from "../../settings/index.ts";
import { testFolder } from "../test-kit/folder.ts";
import { testPlace } from "../test-kit/setup.ts";
import { ExtensionFinder } from "./project-extensions.ts";

const GATE = "export const critical = true;\nexport default () => {};\n";

/** A work tree from before a critical gate that the user trusted in the main one. */
function setUp() {
  const place = testPlace();
  const folder = realpathSync(testFolder());
  const [main, tree] = [join(folder, "main"), join(folder, "tree")];
  const who = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
  const git = (...args: string[]) => execFileSync("git", ["-C", main, ...who, ...args]);
  execFileSync("git", ["init", "--quiet", main]);
  git("commit", "--quiet", "--allow-empty", "--message", "Start");
  git("worktree", "add", "--quiet", tree);
  mkdirSync(join(main, ".seam/extensions"), { recursive: true });
  writeFileSync(join(main, ".seam/extensions/gate.ts"), GATE);
  trust(main, judgeProject(main));
  const finder = new ExtensionFinder(place.home);
  const seen = (cwd: string) => finder.look(cwd).sources.map(({ name }) => name);
  return { main, tree, finder, seen };
}

describe("a critical gate that holds in a work tree", () => {
  it.each<[string, (main: string, tree: string) => void]>([
    ["the repository", (main) => writeFileSync(join(main, ".git/worktrees/tree/gitdir"), "/x\n")],
    ["the work tree", (_, tree) => rmSync(join(tree, ".git"))],
  ])("goes on when somebody changes what %s says of it, and the user is told", (_, cut) => {
    const { main, tree, finder, seen } = setUp();
    expect(seen(tree)).toEqual(["gate"]);
    cut(main, tree);
    mkdirSync(join(tree, ".seam/extensions"), { recursive: true });
    mkdirSync(join(tree, "inner"));
    for (const cwd of [tree, join(tree, "inner")]) {
      expect(seen(cwd)).toEqual(["gate"]);
      expect(finder.look(cwd).critical).toBe(true);
      expect(finder.look(cwd).notices.join()).toContain("git no longer says");
    }
    expect(seen(join(tree, ".."))).toEqual([]);
  });

  it("does not when the user takes the trust back", () => {
    const { main, tree, seen } = setUp();
    expect(seen(tree)).toEqual(["gate"]);
    rmSync(join(tree, ".git"));
    withdraw(main);
    expect(seen(tree)).toEqual([]);
  });
});
