import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";
import { inFull } from "./setup/sample.ts";

const HOST = JSON.stringify(join(import.meta.dirname, "../dist/host.js"));

/**
 * A program that embeds the agent, with an extension that holds the thread: until somebody complained
 * about it, or for as long as it takes to be complained about. Prints what became of it.
 */
const PROGRAM = `import { readFileSync } from "node:fs";
import { createAgent, scriptedModels } from ${HOST};
const watchdog = JSON.parse(process.argv[2]);
let threads = 0;
process.on("worker", () => threads++);
const isSaid = () => readFileSync("stderr", "utf8").includes("the thread back");
const hold = () => {
  const { user } = process.cpuUsage();
  const enough = () => (watchdog ? isSaid() : process.cpuUsage().user - user > 500_000);
  for (const deadline = Date.now() + 60_000; !enough() && Date.now() < deadline; );
};
const logged = [];
const agent = await createAgent({
  watchdog,
  models: scriptedModels([{ toolCalls: [{ name: "ls", arguments: {} }] }, { text: "Done." }]),
  extensions: [{ name: "mine", factory: (pi) => pi.on("tool_call", hold) }],
  onLog: (level, text) => logged.push(level + ": " + text),
});
await agent.prompt("Look around");
const entries = agent.session.getEntries();
await agent.dispose();
console.log(JSON.stringify({
  threads,
  logged,
  notes: entries.filter(({ customType }) => customType === "extension_stuck").map(({ data }) => data),
  said: entries.at(-1).message?.content,
}));`;

/** Runs it with what it wants of the watchdog. */
function run(watchdog: object | false) {
  const { project, home } = place({ "program.mjs": PROGRAM, stderr: "" });
  const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: home };
  const stderr = openSync(join(project, "stderr"), "a");
  const args = ["program.mjs", JSON.stringify(watchdog)];
  const stdio = ["ignore", "pipe", stderr] as const;
  const child = spawnSync(process.execPath, args, { cwd: project, env, stdio: [...stdio] });
  closeSync(stderr);
  const complaints = readFileSync(join(project, "stderr"), "utf8");
  expect(complaints).not.toContain("Error:");
  return { status: child.status, complaints, ...JSON.parse(String(child.stdout)) };
}

it("a program that wants reports is told who held the thread, and goes on", () => {
  const ran = run({ afterMs: 200, onStuck: "report" });
  expect(ran).toMatchObject({
    status: 0,
    threads: 1,
    notes: [{ how: "certain", suspects: [{ name: "mine", what: "tool_call" }], ended: false }],
    said: [{ type: "text", text: "Done." }],
  });
  expect(ran.complaints).toContain("<mine> (tool_call) has not given the thread back for");
  expect(ran.logged).toEqual([expect.stringMatching(/^error: .*\(tool_call\) has not given/)]);
});

inFull("a program that wants no watchdog has none", () => {
  expect(run(false)).toMatchObject({
    status: 0,
    threads: 0,
    complaints: "",
    logged: [],
    notes: [],
    said: [{ type: "text", text: "Done." }],
  });
});
