import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  const seen = (cwd: string, by = finder) => by.look(cwd).sources.map(({ name }) => name);
  return { home: place.home, main, tree, finder, seen };
}

const CUTS: readonly [string, (main: string, tree: string) => void][] = [
  ["the repository", (main) => writeFileSync(join(main, ".git/worktrees/tree/gitdir"), "/x\n")],
  [
    "its common folder",
    (main) => writeFileSync(join(main, ".git/worktrees/tree/commondir"), "/\n"),
  ],
  ["the work tree", (_, tree) => rmSync(join(tree, ".git"))],
  [
    "another repository",
    (_, tree) => {
      rmSync(join(tree, ".git"));
      execFileSync("git", ["init", "--quiet", tree]);
    },
  ],
  ["the main work tree", (main) => renameSync(join(main, ".git"), join(main, "git"))],
];

describe("a critical gate that holds in a work tree", () => {
  it.each(CUTS)(
    "goes on when somebody changes what %s says of it, and the user is told",
    (_, cut) => {
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
    },
  );

  it.each(CUTS)("goes on for the next daemon too when %s says otherwise", (_, cut) => {
    const { home, main, tree, finder, seen } = setUp();
    expect(seen(tree)).toEqual(["gate"]);
    cut(main, tree);
    // The user agreed to something else meanwhile.
    const other = realpathSync(testFolder());
    mkdirSync(join(other, ".seam/extensions"), { recursive: true });
    writeFileSync(join(other, ".seam/extensions/other.ts"), GATE);
    trust(other, judgeProject(other));
    const next = new ExtensionFinder(home);
    for (const by of [finder, next]) {
      expect(seen(tree, by)).toEqual(["gate"]);
      expect(by.look(tree).notices.join()).toContain("git no longer says");
    }
  });

  it("goes on where the folder around it is a project of its own", () => {
    const { home, tree, seen } = setUp();
    expect(seen(tree)).toEqual(["gate"]);
    execFileSync("git", ["init", "--quiet", join(tree, "..")]);
    rmSync(join(tree, ".git"));
    mkdirSync(join(tree, "inner"));
    for (const cwd of [tree, join(tree, "inner")]) {
      expect(seen(cwd, new ExtensionFinder(home))).toEqual(["gate"]);
    }
  });

  it("is the user's to decide once it is cut off: they keep it, or do without", () => {
    const { tree, finder, seen } = setUp();
    expect(seen(tree)).toEqual(["gate"]);
    rmSync(join(tree, ".git"));
    mkdirSync(join(tree, ".seam/extensions"), { recursive: true });
    writeFileSync(join(tree, ".seam/extensions/gate.ts"), GATE);
    expect(judgeProject(tree).map(({ trust: state }) => state)).toEqual(["changed"]);
    trust(tree, judgeProject(tree));
    expect([seen(tree), finder.look(tree).notices]).toEqual([["gate"], []]);
    withdraw(tree);
    expect(seen(tree)).toEqual([]);
  });

  it("does not when the user takes the trust back", () => {
    const { main, tree, seen } = setUp();
    expect(seen(tree)).toEqual(["gate"]);
    rmSync(join(tree, ".git"));
    withdraw(main);
    expect(seen(tree)).toEqual([]);
  });
});

it("a gate that the user trusted goes on where an agent deletes all that made the folder a project", () => {
  const place = testPlace();
  const around = realpathSync(testFolder());
  const project = join(around, "app");
  execFileSync("git", ["init", "--quiet", around]);
  mkdirSync(join(project, ".seam/extensions"), { recursive: true });
  mkdirSync(join(project, "inner"));
  writeFileSync(join(project, ".seam/extensions/gate.ts"), GATE);
  trust(project, judgeProject(project));
  rmSync(join(project, ".seam"), { recursive: true });
  for (const cwd of [project, join(project, "inner")]) {
    const { sources, notices } = new ExtensionFinder(place.home).look(cwd);
    expect(sources.map(({ name }) => name)).toEqual(["gate"]);
    expect(notices.join()).toContain("is gone since you trusted it");
  }
  expect(new ExtensionFinder(place.home).look(around).sources).toEqual([]);
});
