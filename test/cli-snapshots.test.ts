import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nextMoment, recordOf } from "../src/record/history/test-kit.ts";
import { takeSnapshot } from "../src/record/snapshot/take-snapshot.ts";
import { Project } from "../src/record/test-kit/project.ts";

const MAIN = join(import.meta.dirname, "../dist/bin/seam.js");
const TURN = "3f2a9c1b77de";

/** A turn that began in a flood of untracked files, with a snapshot that came late. */
async function floodedTurn() {
  const project = new Project();
  const record = { ...(await recordOf(project.root)), bounds: { files: 10, bytes: 1_000_000 } };
  for (let n = 0; n < 30; n++) project.write(`data/${n}.txt`, `${n}\n`);
  project.write("own.ts", "old\n");
  const about = { session_id: "session-1", agent: "claude-code", turn_id: TURN, prompt: "Do it" };
  await takeSnapshot(record, { ...about, moment: "start", at: nextMoment(), isLate: () => true });
  project.write("own.ts", "new\n");
  await takeSnapshot(record, { ...about, moment: "end", at: nextMoment() });
  const seam = (...args: string[]) => {
    const options = { cwd: project.root, env: project.env, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options);
    if (status !== 0) throw new Error(`seam ${args.join(" ")}: ${status} ${stdout}${stderr}`);
    return stdout;
  };
  return { project, seam };
}

it("show and log say what is not in a snapshot, and that it came late", async () => {
  const { seam } = await floodedTurn();
  const shown = seam("show", TURN);
  expect(shown).toContain("data/*  30 untracked files: too many");
  expect(shown).toContain("was looked at late");
  expect(seam("log")).toMatch(/late start {2}not all files/);
  expect(JSON.parse(seam("show", TURN, "--json"))).toMatchObject({
    turn: {
      files: ["own.ts"],
      late: true,
      left_out: [{ path: "data/*", why: "too many", files: 30 }],
    },
  });
});

it("a rewind says it too, and leaves the flood where it is", async () => {
  const { project, seam } = await floodedTurn();
  const said = seam("rewind", TURN, "--yes");
  expect(said).toContain("This snapshot came late");
  expect(said).toContain("data/* has more untracked files than a snapshot holds");
  expect(project.git("show", `:README.md`)).toBe("# A project");
  expect(existsSync(join(project.root, "data/29.txt"))).toBe(true);
});
