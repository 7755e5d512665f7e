import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { findExtensions, judgeProject } from "./find-extensions.ts";
import { trust } from "./trust.ts";

const PLAIN = "export default () => {};\n";
const CRITICAL = `export const critical = true;\n${PLAIN}`;

it("an ordinary version that was trusted in one work tree takes the critical one of another away nowhere else", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lent-")));
  vi.stubEnv("SEAM_HOME", join(folder, "seam"));
  const [main, second, third] = ["main", "second", "third"].map((name) => join(folder, name));
  const who = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
  const git = (...args: string[]) => execFileSync("git", ["-C", `${main}`, ...who, ...args]);
  execFileSync("git", ["init", "--quiet", `${main}`]);
  git("commit", "--quiet", "--allow-empty", "--message", "Start");
  for (const tree of [second, third]) git("worktree", "add", "--quiet", `${tree}`);
  const put = (tree: string | undefined, text: string) => {
    mkdirSync(join(`${tree}`, ".seam/extensions"), { recursive: true });
    writeFileSync(join(`${tree}`, ".seam/extensions/gate.ts"), text);
  };
  for (const [tree, text] of [
    [`${main}`, CRITICAL],
    [`${second}`, PLAIN],
  ] as const) {
    put(tree, text);
    trust(tree, judgeProject(tree));
  }
  put(third, PLAIN);
  const runs = (cwd: string | undefined) =>
    findExtensions({ cwd: `${cwd}` }).sources.map(({ copy }) => copy?.project);
  expect(runs(third)).toEqual([main]);
  expect(findExtensions({ cwd: `${third}` }).problems.map(({ code }) => code)).toEqual([
    "SEAM_EXT_CHANGED",
  ]);
  // Where the user decided, that counts.
  expect(runs(second)).toEqual([second]);
});
