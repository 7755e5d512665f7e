import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { place } from "./cli/seam.ts";
import { inFull } from "./setup/sample.ts";

const HOST = JSON.stringify(join(import.meta.dirname, "../dist/host.js"));

/** A program of somebody who embeds Seam's agent. */
const PROGRAM = `import { readFileSync } from "node:fs";
import { createAgent, recordSession, savedSessions, scriptedModels } from ${HOST};
const cwd = process.cwd();
const turns = [
  { toolCalls: [{ name: "write", arguments: { path: "made.txt", content: "made" } }] },
  { text: "It is written." },
  { text: "I am still here." },
];
const agent = await createAgent({
  cwd,
  models: scriptedModels(turns),
  session: savedSessions({ cwd }).create(),
  extensions: await recordSession(cwd),
});
await agent.prompt("Write a file");
const [pidFile] = process.argv.slice(2);
if (pidFile) {
  const daemon = Number.parseInt(readFileSync(pidFile, "utf8"));
  process.kill(daemon, "SIGKILL");
  // What is told at the very moment of its death is lost; this is about what comes later.
  const runs = () => { try { return process.kill(daemon, 0); } catch { return false; } };
  while (runs()) await new Promise((resolve) => setTimeout(resolve, 10));
  await agent.prompt("And now?");
}
await agent.dispose();`;

/** A repository that is recorded, with the program in it. */
async function recordedPlace() {
  const here = place({ "README.md": "# Project\n", "program.mjs": PROGRAM });
  const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: here.project, env });
  git("init", "-q");
  git(
    "-c",
    "user.name=Dev",
    "-c",
    "user.email=dev@example.com",
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    "First",
  );
  await here.seam("enable", "--agent", "seam");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ["program.mjs", ...args], { cwd: here.project, env });
  /** What `seam log` says once all that was told is recorded. */
  const log = async () => {
    await vi.waitFor(async () => {
      const status = await here.seam("daemon", "status", "--json");
      expect(JSON.parse(status.stdout)).toMatchObject({ running: true, unrecorded: 0 });
    });
    return here.seam("log");
  };
  return { ...here, run, log };
}

it("a session that a program starts with createAgent is recorded as one of seam run is", async () => {
  const here = await recordedPlace();
  here.run();
  const { stdout } = await here.log();
  await here.seam("daemon", "stop");
  expect(stdout).toContain("Write a file");
  expect(stdout).toMatch(/made\.txt|1 file/);
});

inFull("a session goes on being recorded after the daemon was killed", async () => {
  const here = await recordedPlace();
  here.run(join(here.home, "run/pid"));
  // The next daemon first records what the one before had accepted and not come to.
  const { stdout } = await here.log();
  await here.seam("daemon", "stop");
  expect(stdout).toContain("And now?");
});

it("in a repository that is not recorded nothing is", async () => {
  const here = place({ "program.mjs": PROGRAM });
  const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
  execFileSync("git", ["init", "-q"], { cwd: here.project, env });
  execFileSync(process.execPath, ["program.mjs"], { cwd: here.project, env });
  const { stdout } = await here.seam("daemon", "status", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ running: false });
});
