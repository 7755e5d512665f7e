import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";
import { hasTime, inFull, sampled } from "./setup/sample.ts";

const TURNS = JSON.stringify([
  { text: "Let me.", toolCalls: [{ name: "bash", arguments: { command: "touch ran" } }] },
  { text: "Done." },
]);
const LOOPS = "while (true) {}\nexport default () => {};";
/** Holds the thread as a loop does, and leaves the processor to the other tests. */
const HOLD = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
const HOLDS = `${HOLD}\nexport default () => {};`;
const GOOD = 'export default (pi) => { pi.on("agent_start", () => {}); console.error("loaded"); };';

/** An extension that is found, and not named. */
function keep({ home }: Place, name: string, source: string): void {
  mkdirSync(join(home, "extensions"), { recursive: true });
  writeFileSync(join(home, "extensions", name), source);
}

/** Runs the agent with these extensions; each has time to load, also on a busy machine. */
function run({ seam, home }: Place, ...extensions: string[]) {
  writeFileSync(join(home, "settings.json"), '{ "loadDeadlineMs": 20000 }');
  return start(seam, extensions);
}

/** The same where one of them uses up all the time it has, and another one needs some. */
function runBriefly({ seam, home }: Place, ...extensions: string[]) {
  writeFileSync(join(home, "settings.json"), '{ "loadDeadlineMs": 2500 }');
  return start(seam, extensions);
}

function start(seam: Place["seam"], extensions: readonly string[]) {
  const more = extensions.flatMap((path) => ["-e", path]);
  return seam("run", "-p", "hi", "--no-session", "--model", "scripted:turns.json", ...more);
}

it("an extension that never yields while loading is reported, and the run goes on without it", async () => {
  const at = place({ "turns.json": TURNS, "good.ts": GOOD });
  keep(at, "loops.ts", LOOPS);
  const { code, stdout, stderr } = await runBriefly(at, "good.ts");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Let me.\nDone.\n" });
  expect(stderr).toContain("loops.ts did not finish loading within 2500 ms");
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
  ["did not finish loading", HOLDS],
  ["as its default export", "export const nothing = 1;"],
])("one that is named and %s fails the run before it begins", async (what, source) => {
  const at = place({ "turns.json": TURNS, "bad.ts": source, "good.ts": GOOD });
  const ran = await (source === HOLDS ? runBriefly : run)(at, "good.ts", "bad.ts");
  const { code, stdout, stderr } = ran;
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
  const source = `export const critical = true;\n${HOLDS}`;
  const at = place({ "turns.json": TURNS, "guard.ts": source });
  const { stderr } = await runBriefly(at, "guard.ts");
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
  /** How long code of extensions may hold the thread. */
  const allow = ({ home }: Place, stuckMs: number) =>
    writeFileSync(join(home, "settings.json"), JSON.stringify({ stuckMs }));
  /** Long enough for one that does not hold it, also on a machine that is busy with other things. */
  const LONG_MS = 20_000;
  /** Runs the agent with a session. */
  const run = (at: Place, prompt = "hi", ...more: string[]) => {
    allow(at, 500);
    return start(at, prompt, ...more);
  };
  const start = (at: Place, prompt = "hi", ...more: string[]) =>
    at.seam("run", "-p", prompt, "--model", "scripted:turns.json", "-e", "bad.ts", ...more);
  const LOOP = "for (;;);";
  const NOT_BACK = "did not give the thread back for";
  const extension = (body: string) =>
    `import { execFileSync } from "node:child_process";\nimport { isMainThread } from "node:worker_threads";
export default (pi) => {\n${body}\n};`;
  const on = (event: string, body: string) =>
    extension(`pi.on("${event}", async () => { ${body} });`);
  const tool = (body: string) =>
    extension(`pi.registerTool({ name: "bash", label: "b", description: "b",
      parameters: { type: "object", properties: {} }, execute: async () => { ${body} } });`);
  /** The lines of all sessions, each of which must be whole. */
  const saved = ({ home }: Place) =>
    readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(join(home, "sessions", name), "utf8"))
      .flatMap((text) => {
        expect(text.endsWith("\n")).toBe(true);
        return text.trimEnd().split("\n");
      })
      .map((line): Line => JSON.parse(line));
  interface Line {
    type: string;
    id: string;
    parentId: string | null;
    customType?: string;
    message?: { role: string };
    data?: { how: string; suspects: { path: string; what?: string }[]; ended: boolean };
  }
  const roles = (lines: Line[]) => lines.flatMap(({ message }) => message?.role ?? []);
  const note = (lines: Line[]) =>
    lines.find(({ customType }) => customType === "extension_stuck")?.data;

  const PLACES: Record<string, [source: string, what: string | undefined, prompt?: string]> = {
    "a handler": [on("tool_call", LOOP), "tool_call"],
    "a handler, after an await": [
      on("tool_call", `await null; ${HOLD}`),
      "tool_call, after an await",
    ],
    "a handler that awaited a timer": [
      on("tool_call", `await new Promise((go) => setTimeout(go, 5)); ${HOLD}`),
      "tool_call, after an await",
    ],
    "a tool": [tool(HOLD), "tool bash"],
    "a command": [
      extension(`pi.registerCommand("x", { handler: async () => { ${HOLD} } });`),
      "/x",
      "/x",
    ],
    "a timer": [on("turn_start", `setTimeout(() => { ${HOLD} }, 1);`), "a timer"],
    "a program it waits for": [on("tool_call", 'execFileSync("sleep", ["20"]);'), "tool_call"],
    // Loading is tried in a thread first: what loops there too is left out before the run begins.
    loading: [
      `import { isMainThread } from "node:worker_threads";
if (isMainThread) ${HOLD}
export default () => {};`,
      "loading, after an await",
    ],
    "a callback that nobody knows of": [
      on(
        "turn_start",
        `new MessageChannel().port1.close(); queueMicrotask(() => {});
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = () => { ${HOLD} }; port1.postMessage(1);`,
      ),
      undefined,
    ],
  };

  const TRIED = sampled(Object.entries(PLACES), "a handler, after an await", "a timer");
  it.each(TRIED)(
    "in %s ends the run, with its name and its session whole",
    async (_, [source, what, prompt]) => {
      const at = place({ "turns.json": TURNS, "bad.ts": source });
      const { code, stderr } = await run(at, prompt);
      expect(code).not.toBe(0);
      const bad = join(at.project, "bad.ts");
      expect(stderr).toContain(
        what === undefined ? `${bad} ${NOT_BACK}` : `${bad} (${what}) ${NOT_BACK}`,
      );
      expect(stderr).toContain("seam run --continue --without bad");
      expect(existsSync(join(at.project, "ran"))).toBe(false);
      if (what === "/x" || what?.startsWith("loading")) return;
      const lines = saved(at);
      expect(roles(lines).slice(0, 1)).toEqual(["user"]);
      expect(note(lines)).toMatchObject({ ended: true, suspects: [{ path: bad }] });
      expect(lines.at(-1)?.parentId).toBe(lines.at(-2)?.id);
    },
    60_000,
  );

  it("is told of at the next start, which goes on with the session without it", async () => {
    const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", HOLD) });
    await run(at);
    at.write({ "turns.json": JSON.stringify([{ text: "Back again." }]) });
    allow(at, LONG_MS);
    const next = await start(at, "go on", "--continue", "--without", "bad");
    expect(next).toMatchObject({ code: 0, stdout: "Back again.\n" });
    expect(roles(saved(at))).toEqual(["user", "assistant", "user", "assistant"]);

    const told = await start(at, "go on", "--continue");
    expect(told.stderr).toContain(`The last time: ${join(at.project, "bad.ts")} (tool_call)`);
    expect(told.stderr).toContain("--without bad");
    expect((await start(at, "go on", "--continue")).stderr).not.toContain("The last time");
  }, 60_000);

  it.runIf(hasTime && !whyNoTerminal)(
    "is asked about on a terminal, until the user wants it",
    async () => {
      const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", HOLD) });
      await run(at);
      at.write({ "turns.json": JSON.stringify([{ text: "Back again." }]) });
      allow(at, LONG_MS);
      const start = () => {
        const args = ["run", "-p", "hi", "--model", "scripted:turns.json", "-e", "bad.ts"];
        const env = { PATH: process.env.PATH, HOME: at.home, SEAM_HOME: at.home, NO_COLOR: "1" };
        return new Terminal(args, { cwd: at.project, env });
      };
      for (const answer of ["y", "n"]) {
        const asked = start();
        await asked.shows("The last time:");
        await asked.shows("Leave bad out of this run?");
        asked.type(`${answer}\r`);
        await asked.shows("Back again.");
        expect(await asked.exited).toBe(0);
      }
      const after = start();
      await after.shows("Back again.");
      expect(await after.exited).toBe(0);
      expect(after.text).not.toContain("Leave bad out");
    },
    60_000,
  );

  inFull(
    "is not told of any more once it was changed",
    async () => {
      const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", HOLD) });
      await run(at);
      at.write({ "bad.ts": on("tool_call", "") });
      allow(at, LONG_MS);
      const { code, stderr } = await start(at);
      expect(code).toBe(0);
      expect(stderr).not.toContain("The last time");
    },
    60_000,
  );

  it("--without names an extension that there is", async () => {
    const at = place({ "turns.json": TURNS, "bad.ts": on("tool_call", HOLD) });
    const { code, stderr } = await run(at, "hi", "--without", "bat");
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is no extension "bat"\.\n +Did you mean "bad"\?/);
  });
});

inFull(
  "a run that is stopped for longer than an extension may hold the thread goes on",
  async () => {
    const source = `import { writeFileSync } from "node:fs";
export default (pi) => {
  pi.on("tool_call", async () => {
    writeFileSync("entered", "");
    for (const start = Date.now(); Date.now() - start < 300; );
  });
};`;
    const at = place({ "turns.json": TURNS, "slow.ts": source });
    writeFileSync(join(at.home, "settings.json"), '{ "stuckMs": 1000 }');
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, "../dist/bin/seam.js"),
        "run",
        "-p",
        "hi",
        "--model",
        "scripted:turns.json",
        "-e",
        "slow.ts",
      ],
      {
        cwd: at.project,
        env: { PATH: process.env.PATH, HOME: at.home, SEAM_HOME: at.home },
        stdio: "ignore",
      },
    );
    const ended = once(child, "exit");
    while (!existsSync(join(at.project, "entered"))) await sleep(10);
    child.kill("SIGSTOP");
    await sleep(2_500);
    child.kill("SIGCONT");
    expect(await ended).toEqual([0, null]);
  },
);
