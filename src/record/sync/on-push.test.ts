import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRepo } from "../../git/index.ts";
import { installGitHooks } from "../git-hooks/install.ts";
import { enableRecord } from "../seam-dir.ts";
import { newFolder, Project } from "../test-kit/project.ts";
import { setSyncOnPush } from "./on-push.ts";

/** A project with a remote, and a stand-in for Seam that notes how it was called. */
async function pushable() {
  const project = new Project();
  const remote = newFolder();
  project.in(remote, "init", "-q", "--bare");
  project.git("remote", "add", "origin", remote);
  const repo = await openRepo(project.root);
  if (!repo) throw new Error("no repository");
  enableRecord(repo);
  await installGitHooks(repo);
  const said = join(newFolder(), "said");
  const seam = project.write("seam.mjs", note(said));
  return { project, remote, repo, said, program: [process.execPath, seam] as const };
}

const note = (said: string) =>
  `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(said)}, process.argv.slice(2).join(" "));
process.exit(7);`;

it("sends nothing along with a push unless it was asked to", async () => {
  const { project, remote, said } = await pushable();
  project.git("push", "-q", "origin", "main");
  expect(existsSync(said)).toBe(false);
  expect(project.in(remote, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});

it("calls seam sync with the remote once it was asked to, and a failure stops no push", async () => {
  const { project, remote, repo, said, program } = await pushable();
  setSyncOnPush(repo, program);
  project.git("push", "-q", "origin", "main");
  expect(readFileSync(said, "utf8")).toBe("sync origin --push --yes");
  expect(project.in(remote, "rev-parse", "main")).toBe(project.git("rev-parse", "HEAD"));
});

it("no longer does when that was taken back, or when Seam is gone", async () => {
  const { project, repo, said, program } = await pushable();
  setSyncOnPush(repo, [program[0], "/nowhere/seam.js"]);
  project.git("push", "-q", "origin", "main");
  setSyncOnPush(repo, program);
  setSyncOnPush(repo, undefined);
  project.git("push", "-q", "origin", "main:other");
  expect(existsSync(said)).toBe(false);
});
