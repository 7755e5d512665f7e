import { mkdirSync } from "node:fs";
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
