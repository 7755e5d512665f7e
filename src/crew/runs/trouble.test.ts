import { execFileSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { smallDisk } from "../../git/test-kit/small-disk.ts";
import type { OpenCrew } from "./test-kit/scratch-crew.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });

function fill(disk: string): string {
  const filler = join(disk, "filler");
  writeFileSync(filler, "");
  for (const size of [1 << 20, 1 << 14, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
    } catch {
      // That is what a full disk says.
    }
  }
  return filler;
}

async function reasonOf({ crew }: OpenCrew, run: string): Promise<string> {
  for (;;) {
    const { run: now, tasks } = await crew.show(run);
    const reason = [now, ...tasks].find(({ state }) => state === "waiting")?.reason;
    if (reason !== undefined) return reason;
    if (now.endedAt !== undefined) throw new Error(`it ended: ${JSON.stringify(now)}`);
    await sleep(50);
  }
}

inFull(
  "a run whose home is on a full disk says so and what to do, and goes on when there is room",
  async ({ skip }) => {
    const home = smallDisk("size=12m");
    if (home === undefined) return skip();
    const scratch = await makeScratch();
    const [first, second] = [writes("a.txt", "a\n"), writes("b.txt", "b\n")];
    const slow = first.map((turn) => ({ ...turn, delayMs: 700 }));
    const opened = await scratch.open({ home, leaseMs: 2_000 });
    const a = taskOf("a", scratch.script("a", slow));
    const b = taskOf("b", scratch.script("b", second), { dependsOn: ["a"] });
    const run = await opened.crew.start({
      ...scratch.place,
      workflow: workflowOf([a, b]),
      goal: "a",
    });
    while (!(await opened.crew.show(run.id)).attempts.some(({ pid }) => pid !== undefined)) {
      await sleep(20);
    }
    const filler = fill(home);
    expect(await reasonOf(opened, run.id)).toMatch(/full.*Make s.*Seam tries again by itself\.$/);
    rmSync(filler);
    expect(await opened.ended(run.id)).toBe("done");
    const { tasks } = await opened.crew.show(run.id);
    expect(tasks.map(({ state, reason }) => [state, reason])).toEqual([
      ["done", undefined],
      ["done", undefined],
    ]);
    await opened.crew.close();
  },
);

it("an agent that deletes its worktree is told so, and what it had committed counts", async () => {
  const scratch = await makeScratch();
  const { crew } = await scratch.open();
  const gone = "find . -mindepth 1 -delete";
  const kept = [
    ...writes("kept.txt", "kept\n").slice(0, 1),
    bash("git add kept.txt && git commit --quiet --message 'Its own commit'"),
    bash(gone),
    { text: "Done." },
  ];
  const apart = [
    ...writes("apart.txt", "apart\n").slice(0, 1),
    bash("git checkout --quiet --detach && git add apart.txt && git commit --quiet -m Apart"),
    bash(gone),
    { text: "Done." },
  ];
  const lost = [...writes("lost.txt", "lost\n").slice(0, 1), bash(gone), { text: "Done." }];
  const tasks = [
    taskOf("kept", scratch.script("kept", kept)),
    taskOf("apart", scratch.script("apart", apart)),
    taskOf("lost", scratch.script("lost", lost)),
  ];
  const run = await crew.start({ ...scratch.place, workflow: workflowOf(tasks), goal: "a" });
  const look = async () => {
    const { attempts, tasks: now } = await crew.show(run.id);
    const again = attempts.find(({ task, number }) => task === "lost" && number === 2);
    return { again, merged: now.filter(({ mergedAs }) => mergedAs !== undefined) };
  };
  let seen = await look();
  while (!seen.again || seen.merged.length < 2) {
    await sleep(50);
    seen = await look();
  }
  const show = (file: string) =>
    execFileSync("git", ["show", `${run.target}:${file}`], {
      cwd: scratch.repository,
      encoding: "utf8",
    });
  expect(["kept.txt", "apart.txt"].map(show)).toEqual(["kept\n", "apart\n"]);
  expect(seen.again.told).toContain("Nothing was changed. The files of the worktree were gone");
  await crew.cancel(run.id);
  await crew.close();
});

it("a remote that is away when the work is done costs time, and no agent is asked again", async () => {
  const scratch = await makeScratch();
  const remote = join(scratch.root, "remote.git");
  const away = `${remote}.away`;
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  const opened = await scratch.open({ pools: ["far"] });
  const [call = {}, done = {}] = writes("a.txt", "a\n");
  const script = scratch.script("a", [bash(`mv ${remote} ${away}`), call, done]);
  const run = await opened.crew.start({
    ...scratch.place,
    workflow: workflowOf([taskOf("a", script)]),
    goal: "a",
    pool: "far",
    remote,
  });
  expect(await reasonOf(opened, run.id)).toMatch(/remote\.git.*Seam tries again by itself\.$/);
  renameSync(away, remote);
  expect(await opened.ended(run.id)).toBe("done");
  const { attempts } = await opened.crew.show(run.id);
  expect(attempts.map(({ end }) => end?.kind)).toEqual(["finished"]);
  await opened.crew.close();
});
