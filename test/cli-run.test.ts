import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Place, place } from "./cli/seam.ts";

const TURNS = JSON.stringify([
  { text: "Let me.", toolCalls: [{ name: "bash", arguments: { command: "touch ran" } }] },
  { text: "Done." },
]);
const LOOPS = "while (true) {}\nexport default () => {};";
const GOOD = 'export default (pi) => { pi.on("agent_start", () => {}); console.error("loaded"); };';

/** Runs the agent with these extensions; each has a second to load. */
function run({ seam, home }: Place, ...extensions: string[]) {
  writeFileSync(join(home, "settings.json"), '{ "loadDeadlineMs": 1000 }');
  const more = extensions.flatMap((path) => ["-e", path]);
  return seam("run", "-p", "hi", "--no-session", "--model", "scripted:turns.json", ...more);
}

it("an extension that never yields while loading is reported, and the run goes on without it", async () => {
  const at = place({ "turns.json": TURNS, "loops.ts": LOOPS, "good.ts": GOOD });
  const { code, stdout, stderr } = await run(at, "loops.ts", "good.ts");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Let me.\nDone.\n" });
  expect(stderr).toContain("loops.ts did not finish loading within 1000 ms");
  expect(stderr).toContain("loaded");
  expect(existsSync(join(at.project, "ran"))).toBe(true);
});

it("one that ends the process while loading does not end it", async () => {
  const at = place({ "turns.json": TURNS, "exits.ts": "process.exit(3);" });
  const { code, stderr } = await run(at, "exits.ts");
  expect(code).toBe(0);
  expect(stderr).toContain("exits.ts ended the process while it was loading");
});

it("a critical one that never yields blocks tool calls", async () => {
  const source = `export const critical = true;\n${LOOPS}`;
  const at = place({ "turns.json": TURNS, "guard.ts": source });
  const { stderr } = await run(at, "guard.ts");
  expect(stderr).toContain("guard.ts did not finish loading");
  expect(existsSync(join(at.project, "ran"))).toBe(false);
});

it("one that came to an end once is tried in a thread again only after it changed", async () => {
  const at = place({ "turns.json": TURNS, "good.ts": GOOD });
  // What it prints in the thread is not shown; to tell the thread from the process it leaves a mark.
  const marking = (text: string) =>
    `import { appendFileSync } from "node:fs";\nimport { isMainThread } from "node:worker_threads";
if (!isMainThread) appendFileSync("tried", "${text}");\n${GOOD}`;
  const tried = async (text: string) => {
    at.write({ "good.ts": marking(text), tried: "" });
    await run(at, "good.ts");
    await run(at, "good.ts");
    return readFileSync(join(at.project, "tried"), "utf8");
  };
  expect(await tried("a")).toBe("a");
  expect(await tried("b")).toBe("b");
});
