import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Place, place } from "./cli/seam.ts";

const TURNS = JSON.stringify([
  { text: "Let me.", toolCalls: [{ name: "bash", arguments: { command: "touch ran" } }] },
  { text: "Done." },
]);
const LOOPS = "while (true) {}\nexport default () => {};";
const GOOD = 'export default (pi) => { pi.on("agent_start", () => {}); console.error("loaded"); };';

/** An extension that is found, and not named. */
function keep({ home }: Place, name: string, source: string): void {
  mkdirSync(join(home, "extensions"), { recursive: true });
  writeFileSync(join(home, "extensions", name), source);
}

/** Runs the agent with these extensions; each has a second to load. */
function run({ seam, home }: Place, ...extensions: string[]) {
  writeFileSync(join(home, "settings.json"), '{ "loadDeadlineMs": 1000 }');
  const more = extensions.flatMap((path) => ["-e", path]);
  return seam("run", "-p", "hi", "--no-session", "--model", "scripted:turns.json", ...more);
}

it("an extension that never yields while loading is reported, and the run goes on without it", async () => {
  const at = place({ "turns.json": TURNS, "good.ts": GOOD });
  keep(at, "loops.ts", LOOPS);
  const { code, stdout, stderr } = await run(at, "good.ts");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Let me.\nDone.\n" });
  expect(stderr).toContain("loops.ts did not finish loading within 1000 ms");
  expect(stderr).toContain("loaded");
  expect(existsSync(join(at.project, "ran"))).toBe(true);
});

it("one that is named and not there fails the run before it begins", async () => {
  const at = place({ "turns.json": TURNS });
  const { code, stdout, stderr } = await run(at, "missing.ts");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(join(at.project, "missing.ts"));
  expect(existsSync(join(at.project, "ran"))).toBe(false);
});

it.each([
  ["cannot be parsed", "export default (pi) => {"],
  ["failed while starting", 'export default () => { throw new Error("no"); };'],
  ["did not finish loading", LOOPS],
  ["as its default export", "export const nothing = 1;"],
])("one that is named and %s fails the run before it begins", async (what, source) => {
  const at = place({ "turns.json": TURNS, "bad.ts": source, "good.ts": GOOD });
  const { code, stdout, stderr } = await run(at, "good.ts", "bad.ts");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("bad.ts");
  expect(stderr).toContain(what);
  expect(existsSync(join(at.project, "ran"))).toBe(false);
});

it("one that ends the process while loading does not end it", async () => {
  const at = place({ "turns.json": TURNS });
  keep(at, "exits.ts", "process.exit(3);");
  const { code, stderr } = await run(at);
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

describe("an extension that never gives the thread back", () => {
  /** Runs the agent with a session; code of extensions may hold the thread for this long. */
  const args = (at: Place, stuckMs: number) => {
    writeFileSync(join(at.home, "settings.json"), JSON.stringify({ stuckMs }));
    return ["run", "-p", "hi", "--model", "scripted:turns.json", "-e", "bad.ts"];
  };
  const on = (event: string, body: string) =>
    `import { appendFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
export default (pi) => {
  pi.on("${event}", async () => {
    appendFileSync("entered", "");
    ${body}
  });
};`;
  const saved = ({ home }: Place) =>
    readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) =>
        readFileSync(join(home, "sessions", name), "utf8")
          .trim()
          .split("\n"),
      )
      .map((line): { type: string; message?: { role: string } } => JSON.parse(line))
      .flatMap(({ message }) => message?.role ?? []);

  it.each(["for (;;);", "await null; for (;;);"])(
    "is stopped in %s: the call it was asked about is not made, and the session is saved",
    async (body) => {
      const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", body) });
      const { code, stdout, stderr } = await at.seam(...args(at, 1_000));
      expect({ code, stdout }).toEqual({ code: 1, stdout: "Let me.\n" });
      expect(stderr).toMatch(/bad\.ts did not give the thread back within 1000 ms \(.*line 6\)/);
      expect(existsSync(join(at.project, "ran"))).toBe(false);
      expect(saved(at)).toEqual(["user", "assistant", "toolResult"]);
    },
  );

  it("hears Ctrl-C once it is stopped", async () => {
    const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", "for (;;);") });
    const main = join(import.meta.dirname, "../dist/bin/seam.js");
    const child = spawn(process.execPath, [main, ...args(at, 1_000)], {
      cwd: at.project,
      env: { PATH: process.env.PATH, HOME: at.home, SEAM_HOME: at.home, NO_COLOR: "1" },
      stdio: "ignore",
    });
    const entered = () => existsSync(join(at.project, "entered"));
    while (!entered()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    expect(saved(at).slice(0, 2)).toEqual(["user", "assistant"]);
  });

  it("ends the process if it cannot be stopped, and says who it was", async () => {
    const body = 'execFileSync("sleep", ["20"]);';
    const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", body) });
    const { code, stderr } = await at.seam(...args(at, 300));
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/bad\.ts holds the process \(tool_call\) and cannot be stopped/);
    expect(saved(at)).toEqual(["user", "assistant"]);
  });
});
