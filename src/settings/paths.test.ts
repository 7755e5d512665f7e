import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, tempHome, write } from "../extensions/test-kit/index.ts";
import { projectRoot, seamHome, settingsFiles } from "./index.ts";

describe("the project a folder belongs to", () => {
  it.each([
    ["with a .git folder", ".git/HEAD"],
    ["with a .git file, as in a work tree", ".git"],
    ["with a .seam folder", ".seam/settings.json"],
  ])("is the nearest one above %s", (_, mark) => {
    tempHome();
    const root = tempDir();
    write(root, { [mark]: "" });
    const deep = join(root, "a/b/c");
    mkdirSync(deep, { recursive: true });
    expect([projectRoot(root), projectRoot(deep)]).toEqual([root, root]);
  });

  it("is the inner one of two", () => {
    const root = tempDir();
    write(root, { ".git/HEAD": "", "inner/.seam/x": "" });
    expect(projectRoot(join(root, "inner"))).toBe(join(root, "inner"));
  });

  it("is the folder itself when there is no mark above", () => {
    const dir = join(tempDir(), "a/b");
    mkdirSync(dir, { recursive: true });
    expect(projectRoot(dir)).toBe(dir);
  });

  it.each([".", "a/b", "nowhere/at/all"])("is found for a relative path: %s", (path) => {
    const root = projectRoot(process.cwd());
    expect(projectRoot(path)).toBe(root);
  });

  it("has one name, by whichever links one came to it", () => {
    const root = tempDir();
    write(root, { ".git/HEAD": "", "a/file": "" });
    const link = join(tempDir(), "link");
    symlinkSync(root, link);
    expect([projectRoot(link), projectRoot(join(link, "a"))]).toEqual([root, root]);
  });

  it("is not the home folder, though one came to it by a link", () => {
    tempHome();
    const home = tempDir();
    write(home, { ".seam/settings.json": "", "work/file": "" });
    const link = join(tempDir(), "link");
    symlinkSync(home, link);
    process.env.SEAM_HOME = join(link, ".seam");
    expect(projectRoot(join(home, "work"))).toBe(join(home, "work"));
    expect(settingsFiles(home)).toEqual([join(link, ".seam/settings.json")]);
  });

  it("is not the home folder because the user's own settings are in it", () => {
    tempHome();
    const home = tempDir();
    write(home, { ".seam/settings.json": "", "work/file": "" });
    process.env.SEAM_HOME = join(home, ".seam");
    expect(projectRoot(join(home, "work"))).toBe(join(home, "work"));
  });
});

it("the user's folder is ~/.seam unless SEAM_HOME says otherwise", () => {
  const home = tempHome();
  expect(seamHome()).toBe(home);
  process.env.SEAM_HOME = "";
  expect(seamHome()).toBe(join(homedir(), ".seam"));
});

it("settings come from three files", () => {
  const home = tempHome();
  const root = tempDir();
  expect(settingsFiles(root)).toEqual([
    join(home, "settings.json"),
    join(root, ".seam/settings.json"),
    join(root, ".seam/settings.local.json"),
  ]);
});
