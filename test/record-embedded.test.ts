import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

const HOST = JSON.stringify(join(import.meta.dirname, "../dist/host.js"));

/** A program of somebody who embeds Seam's agent. */
const PROGRAM = `import { createAgent, recordSession, savedSessions, scriptedModels } from ${HOST};
const cwd = process.cwd();
const turns = [
  { toolCalls: [{ name: "write", arguments: { path: "made.txt", content: "made" } }] },
  { text: "It is written." },
];
const agent = await createAgent({
  cwd,
  models: scriptedModels(turns),
  session: savedSessions({ cwd }).create(),
  extensions: await recordSession(cwd),
});
await agent.prompt("Write a file");
await agent.dispose();`;

it("a session that a program starts with createAgent is recorded as one of seam run is", async () => {
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
  execFileSync(process.execPath, ["program.mjs"], { cwd: here.project, env });
  const { stdout } = await here.seam("log");
  await here.seam("daemon", "stop");
  expect(stdout).toContain("Write a file");
  expect(stdout).toMatch(/made\.txt|1 file/);
});

it("in a repository that is not recorded nothing is", async () => {
  const here = place({ "program.mjs": PROGRAM });
  const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
  execFileSync("git", ["init", "-q"], { cwd: here.project, env });
  execFileSync(process.execPath, ["program.mjs"], { cwd: here.project, env });
  const { stdout } = await here.seam("daemon", "status", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ running: false });
});
