import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readText } from "../../files/index.ts";
import { git } from "../../git/index.ts";
import { openCrewDatabase } from "../database/open-crew-database.ts";
import { markedProcesses } from "./marked-processes.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

it("a run whose repository was made anew does not keep other runs from going on", async () => {
  const [lost, kept] = [await makeScratch(), await makeScratch()];
  const first = await kept.open();
  const waiting = workflowOf([taskOf("one", "scripted:none", { approve: true })]);
  await first.crew.start({ workflow: waiting, goal: "Wait.", ...lost.place });
  await first.crew.close();
  rmSync(lost.repository, { recursive: true });
  mkdirSync(lost.repository);
  await git(["init", "--quiet"], { cwd: lost.repository, settings: [] });

  const { crew, ended } = await kept.open();
  const workflow = workflowOf([taskOf("two", kept.script("two", writes("two.txt", "2\n")))]);
  const run = await crew.start({ workflow, goal: "Go on.", ...kept.place });
  expect(await ended(run.id)).toBe("done");
  await crew.close();
});

it.skipIf(process.platform !== "linux")(
  "a worker that was gone ends the agents whose tasks another one took over meanwhile, and no others",
  async () => {
    const scratch = await makeScratch();
    const { root, home } = scratch;
    const remote = join(root, "remote.git");
    await git(["init", "--quiet", "--bare", remote], { cwd: root, settings: [] });
    const go = join(root, "go");
    const command = `[ -e ${go} ] || exec sleep 333`;
    const task = taskOf(
      "one",
      scratch.script("one", [
        { toolCalls: [{ name: "bash", arguments: { command } }] },
        ...writes("one.txt", "1\n"),
      ]),
    );
    const database = () => openCrewDatabase(join(root, "crew.db"));
    const there = { worker: "there", home: join(root, "there"), pools: ["far"], leaseMs: 500 };
    const { crew, ended } = await scratch.open({ database: await database(), leaseMs: 500 });
    const other = await scratch.open({ ...there, database: await database() });
    const far = { workflow: workflowOf([task]), pool: "far", remote };
    const { id } = await crew.start({ goal: "Go on.", ...scratch.place, ...far });
    const isAsleep = () =>
      markedProcesses(there.home)
        .filter(({ attempt }) => attempt === `${id}.one.1`)
        .some(({ pid }) => readText(`/proc/${pid}/cmdline`)?.startsWith("sleep"));
    while (!isAsleep()) {
      other.crew.work(there.pools);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // As after kill -9: what it has started works on, and it says nothing any more.
    await other.crew.close();
    writeFileSync(go, "");
    crew.work(["far"]);
    expect(await ended(id)).toBe("done");
    expect(isAsleep()).toBe(true);
    // Of another crew that has the same home, and of which this worker knows nothing.
    const env = { ...process.env, SEAM_HOME: there.home, SEAM_CREW_ATTEMPT: "unknown.one.1" };
    const stranger = spawn("sleep", ["333"], { env, stdio: "ignore" });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const back = await scratch.open({ ...there, database: await database() });
    expect(markedProcesses(there.home).map(({ attempt }) => attempt)).toEqual(["unknown.one.1"]);
    const { attempts } = await crew.show(id);
    expect(attempts.map(({ worker, end }) => [worker, end?.kind])).toEqual([
      ["there", "ended"],
      ["here", "finished"],
    ]);
    await back.crew.close();
    await crew.close();
    expect(markedProcesses(home)).toEqual([]);
  },
);
