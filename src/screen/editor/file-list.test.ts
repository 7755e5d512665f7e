import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileList } from "./file-list.ts";

function folder(files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "seam-files-"));
  for (const name of files) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), "");
  }
  return root;
}

it("has the files that git knows or would know, and all of them without git", async () => {
  const root = folder(["a.txt", "b/c.txt", "left/out.txt"]);
  expect([...(await new FileList(root).files())].sort()).toEqual([
    "a.txt",
    "b/c.txt",
    "left/out.txt",
  ]);
  execFileSync("git", ["init", "-q"], { cwd: root });
  writeFileSync(join(root, ".gitignore"), "left\n");
  expect([...(await new FileList(root).files())].sort()).toEqual([
    ".gitignore",
    "a.txt",
    "b/c.txt",
  ]);
});

it("runs nothing that the settings of a repository name", async () => {
  const root = folder(["a.txt"]);
  const ran = join(root, ".git/ran");
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["config", "core.fsmonitor", `touch '${ran}'; false`], { cwd: root });
  execFileSync("git", ["-c", "core.fsmonitor=false", "add", "a.txt"], { cwd: root });
  expect(await new FileList(root).files()).toEqual(["a.txt"]);
  expect(existsSync(ran)).toBe(false);
});
