import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillFile, testProject } from "../test-kit.ts";
import { findSkills } from "./find-skills.ts";
import { loadSkill } from "./load-skill.ts";

const project = testProject();
const find = (extraPaths: string[] = []) => findSkills({ cwd: project.root, extraPaths });
const names = (extraPaths?: string[]) => find(extraPaths).skills.map(({ name }) => name);

describe("skills", () => {
  it("are found in all folders for them, from anywhere in the project", () => {
    project.write(".seam/skills/one/SKILL.md", skillFile("one"));
    project.write("~/skills/two/SKILL.md", skillFile("two"));
    project.write(".claude/skills/three/SKILL.md", skillFile("three"));
    project.write(".agents/skills/four.md", skillFile("four"));
    const deep = join(project.root, "src/deep");
    mkdirSync(deep, { recursive: true });
    const { skills, problems } = findSkills({ cwd: deep });
    expect(skills.map(({ name }) => name)).toEqual(["one", "two", "three", "four"]);
    expect(problems).toEqual([]);
  });

  it("behind links that lead out of the project are left alone, which is said", () => {
    const file = project.write("~/private/SKILL.md", skillFile("private"));
    for (const folder of [".seam/skills", ".claude/skills", ".agents/skills"]) {
      mkdirSync(join(project.root, folder), { recursive: true });
      symlinkSync(join(project.home, "private"), join(project.root, folder, "folder"));
      symlinkSync(file, join(project.root, folder, "file.md"));
    }
    const { skills, problems } = find();
    expect(skills).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual(
      Array.from({ length: 6 }, () => `It is not used: it leads to ${file}.`),
    );
  });

  it("carry what Pi's skills carry", () => {
    const filePath = project.write(
      ".seam/skills/one/SKILL.md",
      skillFile("one", "x", "disable-model-invocation: true\n"),
    );
    const baseDir = join(filePath, "..");
    expect(find().skills).toEqual([
      {
        name: "one",
        description: "About one",
        filePath,
        baseDir,
        disableModelInvocation: true,
        sourceInfo: {
          path: filePath,
          source: "local",
          scope: "project",
          origin: "top-level",
          baseDir,
        },
      },
    ]);
  });

  it("take their name from the folder or the file when they do not say it", () => {
    project.write(".seam/skills/group/from-folder/SKILL.md", "---\ndescription: d\n---\nx");
    project.write(".seam/skills/from-file.md", "---\ndescription: d\n---\nx");
    expect(names()).toEqual(["from-folder", "from-file"]);
  });

  it("come from paths of extensions too: a file, a skill's folder, a folder of skills", () => {
    const file = project.write("a/SKILL.md", skillFile("a"));
    project.write("b/SKILL.md", skillFile("b"));
    project.write("many/c/SKILL.md", skillFile("c"));
    expect(names([file, "b", join(project.root, "many")])).toEqual(["a", "b", "c"]);
  });

  it("are not READMEs, hidden files or installed packages", () => {
    project.write(".seam/skills/README.md", "# Our skills");
    project.write(".seam/skills/.git/SKILL.md", skillFile("git"));
    project.write(".seam/skills/node_modules/x/SKILL.md", skillFile("x"));
    project.write(".seam/skills/one/notes.md", skillFile("notes"));
    expect(find()).toEqual({ skills: [], problems: [] });
  });
});

describe("skills that cannot be used are reported and the others work", () => {
  it("a second one of a name", () => {
    project.write(".claude/skills/one/SKILL.md", skillFile("one", "theirs"));
    const first = project.write(".seam/skills/one/SKILL.md", skillFile("one", "ours"));
    const { skills, problems } = find();
    expect(skills.map(loadSkill)).toEqual(["ours"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(first);
  });

  it("but not the same file by way of a link", () => {
    project.write(".agents/skills/one/SKILL.md", skillFile("one"));
    mkdirSync(join(project.root, ".claude"));
    symlinkSync("../.agents/skills", join(project.root, ".claude/skills"));
    expect(find().problems).toEqual([]);
    expect(names()).toEqual(["one"]);
  });

  it.each([
    ["YAML that is none", "---\nname: [\n---\nx", "not valid YAML"],
    ["a list as its head", "---\n- a\n- b\n---\nx", "not valid YAML"],
    ["a head without an end", "---\nname: x\ndescription: y\n", "not closed"],
    ["no description", "---\nname: x\n---\nx", "no description"],
    ["a description that is a number", "---\ndescription: 7\n---\nx", "no description"],
    ["no head at all", "Just do it.", "no description"],
    ["a name that cannot be typed", "---\nname: a b\ndescription: d\n---\n", '"a b" cannot be'],
    ["far too much text", `---\nname: x\n---\n${"x".repeat(300_000)}`, "too large"],
  ])("one with %s", (_, text, message) => {
    const path = project.write(".seam/skills/bad/SKILL.md", text);
    project.write(".seam/skills/good/SKILL.md", skillFile("good"));
    const { skills, problems } = find();
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it("a path that an extension named and nothing is at", () => {
    expect(find(["nowhere"]).problems).toEqual([
      { path: join(project.root, "nowhere"), message: "There is nothing at this path." },
    ]);
  });

  it("a folder that links to itself", () => {
    mkdirSync(join(project.root, ".seam/skills"), { recursive: true });
    symlinkSync(".", join(project.root, ".seam/skills/again"));
    project.write(".seam/skills/one/SKILL.md", skillFile("one"));
    expect(names()).toEqual(["one"]);
  });

  it.skipIf(process.getuid?.() === 0)("a folder that may not be read", () => {
    project.write(".seam/skills/locked/SKILL.md", skillFile("locked"));
    project.write(".seam/skills/open/SKILL.md", skillFile("open"));
    const locked = join(project.root, ".seam/skills/locked");
    chmodSync(locked, 0);
    const { skills, problems } = find();
    chmodSync(locked, 0o700);
    expect(skills.map(({ name }) => name)).toEqual(["open"]);
    expect(problems).toHaveLength(1);
  });

  it("whatever a file contains", () => {
    const piece = fc.constantFrom("---\n", "name: x\n", "description: ", ": ", "[", "\n", "\uFEFF");
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: "binary" })))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, (content) => {
        project.write(".seam/skills/any/SKILL.md", content);
        const { skills, problems } = find();
        expect(skills.length + problems.length).toBe(1);
        for (const skill of skills) expect(typeof loadSkill(skill)).toBe("string");
      }),
    );
  });
});

it("a skill that was removed since it was found says so", () => {
  const path = project.write(".seam/skills/one/SKILL.md", skillFile("one"));
  const [skill] = find().skills;
  rmSync(path);
  expect(() => skill && loadSkill(skill)).toThrow('The skill "one" cannot be read');
});
