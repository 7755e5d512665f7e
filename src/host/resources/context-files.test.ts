import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findContextFiles } from "./context-files.ts";
import { testProject } from "./test-kit.ts";

const project = testProject();
const contents = (cwd = project.root) => findContextFiles({ cwd }).map(({ content }) => content);

test("the user's come first, then the project's from its root down", () => {
  project.write("~/AGENTS.md", "user");
  project.write("AGENTS.md", "root");
  project.write("src/CLAUDE.md", "src");
  project.write("src/deep/AGENTS.md", "deep");
  project.write("other/AGENTS.md", "other");
  const cwd = join(project.root, "src/deep");
  expect(contents(cwd)).toEqual(["user", "root", "src", "deep"]);
  expect(findContextFiles({ cwd })[2]?.path).toBe(join(project.root, "src/CLAUDE.md"));
});

test("nothing above the project counts", () => {
  project.write("../AGENTS.md", "above");
  expect(contents()).toEqual([]);
});

test("one per folder: AGENTS.md, unless it is empty, a folder or not there", () => {
  project.write("CLAUDE.md", "claude");
  expect(contents()).toEqual(["claude"]);
  project.write("AGENTS.md", " \n");
  expect(contents()).toEqual(["claude"]);
  project.write("AGENTS.md", "agents");
  expect(contents()).toEqual(["agents"]);
  mkdirSync(join(project.root, "sub/AGENTS.md"), { recursive: true });
  project.write("sub/CLAUDE.md", "sub");
  expect(contents(join(project.root, "sub"))).toEqual(["agents", "sub"]);
});

test("a huge file is cut between characters, with a note that says where the rest is", () => {
  const path = project.write("AGENTS.md", `x${"é".repeat(100_000)}`);
  const [content = ""] = contents();
  expect(Buffer.byteLength(content)).toBeLessThan(49 * 1024);
  expect(content).not.toContain("\uFFFD");
  expect(content.endsWith(`Read ${path} for the rest.)`)).toBe(true);
});

test("a link that leads out of the project is not followed, and is reported", () => {
  const secret = project.write("../secret.txt", "the user's own");
  symlinkSync(secret, join(project.root, "AGENTS.md"));
  project.write("CLAUDE.md", "claude");
  const problems: string[] = [];
  const found = findContextFiles({ cwd: project.root }, ({ path }) => problems.push(path));
  expect(found.map(({ content }) => content)).toEqual(["claude"]);
  expect(problems).toEqual([join(project.root, "AGENTS.md")]);
});

test("a link inside of the project is followed, and so is one of the user's", () => {
  project.write("docs/agents.md", "inside");
  symlinkSync("docs/agents.md", join(project.root, "AGENTS.md"));
  const own = project.write("../dotfiles.md", "dotfiles");
  symlinkSync(own, join(project.home, "AGENTS.md"));
  expect(contents()).toEqual(["dotfiles", "inside"]);
});
