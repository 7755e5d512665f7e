import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Run } from "../model/run.ts";
import { Repositories } from "./repositories.ts";
import { makeScratch, workflowOf } from "./test-kit/scratch-crew.ts";

const TARGET = "seam/crew/r1";
const TASK = "seam/tasks/r1/a";

const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim();

/** Two machines with a repository each, and the remote through which they exchange a run. */
async function machines(more: Partial<Run> = {}) {
  const { repository } = await makeScratch();
  const base = gitIn(repository, "rev-parse", "HEAD");
  const remote = realpathSync(mkdtempSync(join(tmpdir(), "remote-")));
  gitIn(remote, "init", "--quiet", "--bare");
  const run: Run = {
    id: "r1",
    goal: "Go.",
    workflow: workflowOf([]),
    state: "running",
    repository,
    base,
    target: TARGET,
    remote,
    origin: "one",
    pool: "p",
    agents: [],
    budget: {},
    flows: 1,
    startedAt: new Date().toISOString(),
    ...more,
  };
  gitIn(repository, "branch", TARGET, base);
  const machine = async (worker: string) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), `${worker}-`)));
    mkdirSync(join(home, "crew"), { recursive: true });
    const repositories = new Repositories({ home, worker });
    const path = await repositories.pathFor(run);
    return {
      path,
      push: (branch: string, isOurs?: () => Promise<boolean>) =>
        repositories.push(run, branch, isOurs),
      kept: () => gitIn(path, "for-each-ref", "--format=%(objectname)", "refs/seam/crew/kept/r1/a"),
      fetch: () => repositories.fetch(run),
      /** A commit on a branch that holds nothing but its name. */
      commit(branch: string, name: string): string {
        const tip = gitIn(path, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
        const author = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
        const tree = gitIn(path, "rev-parse", `${tip}^{tree}`);
        const made = gitIn(path, ...author, "commit-tree", "-p", tip, "-m", name, tree);
        gitIn(path, "update-ref", `refs/heads/${branch}`, made);
        return made;
      },
      begin: (branch: string) => gitIn(path, "update-ref", `refs/heads/${branch}`, base),
    };
  };
  const there = (branch: string) => gitIn(remote, "rev-parse", `refs/heads/${branch}`);
  const one = await machine("one");
  if (more.remote === undefined) await one.push(TARGET);
  return { one, two: await machine("two"), there, base };
}

it("a machine that lost a task while it was cut off does not put its own over what another made of it", async () => {
  const { one, two, there } = await machines();
  await two.fetch();
  two.begin(TASK);
  two.commit(TASK, "begun");
  await two.push(TASK);
  // Its own branch goes on, and begins anew where that has to be.
  two.begin(TASK);
  two.commit(TASK, "without a secret");
  await two.push(TASK);
  await one.fetch();
  const made = one.commit(TASK, "taken over");
  await one.push(TASK);
  two.commit(TASK, "made while it was cut off");
  await expect(two.push(TASK)).rejects.toMatchObject({ code: "SEAM_CREW_BRANCH_TAKEN" });
  expect(there(TASK)).toBe(made);
});

it("who has a task is not kept from it by a machine that lost it and pushed all the same, and keeps what that one made", async () => {
  const { one, two, there, base } = await machines();
  await two.fetch();
  await one.fetch();
  two.begin(TASK);
  one.begin(TASK);
  const astray = two.commit(TASK, "made while it was cut off");
  await two.push(TASK);
  const made = one.commit(TASK, "taken over");
  // Having seen it once does not make it one's own.
  for (let times = 0; times < 2; times++) {
    await expect(one.push(TASK)).rejects.toMatchObject({ code: "SEAM_CREW_BRANCH_TAKEN" });
    expect(there(TASK)).toBe(astray);
  }
  await one.push(TASK, async () => true);
  expect([there(TASK), one.kept(), base === made]).toEqual([made, astray, false]);
});

it("a merge that was made while another machine merged is refused, and made again on top of it", async () => {
  const { one, two, there } = await machines();
  await two.fetch();
  two.commit(TARGET, "Merge task b");
  const first = one.commit(TARGET, "Merge task a");
  await one.push(TARGET);
  await expect(two.push(TARGET)).rejects.toThrow();
  expect(there(TARGET)).toBe(first);
  await two.fetch();
  const second = two.commit(TARGET, "Merge task b");
  await two.push(TARGET);
  expect(there(TARGET)).toBe(second);
});

it("a branch that somebody else is moving is waited for", async () => {
  const { one, two, base } = await machines();
  await two.fetch();
  const made = one.commit(TARGET, "Merge task a");
  await one.push(TARGET);
  const lock = join(two.path, `refs/heads/${TARGET}.lock`);
  writeFileSync(lock, "");
  setTimeout(() => rmSync(lock), 700);
  await two.fetch();
  expect(made).not.toBe(base);
  expect(gitIn(two.path, "rev-parse", TARGET)).toBe(made);
});

it("a remote that cannot be reached is named, without what opens it", async () => {
  const { two } = await machines({ remote: "https://user:secret@127.0.0.1:1/a.git" });
  const said = await two.fetch().catch((error: unknown) => error);
  expect(said).toMatchObject({
    code: "SEAM_CREW_REMOTE",
    message: expect.stringContaining("https://127.0.0.1:1/a.git"),
  });
  expect(JSON.stringify(said)).not.toContain("secret");
});
