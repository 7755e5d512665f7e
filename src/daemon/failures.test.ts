import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inFull, sampled } from "../../test/setup/sample.ts";
import { ensureClient } from "./client/ensure-client.ts";
import { daemonStatus } from "./connection.ts";
import { missedHooks } from "./missed-hooks.ts";
import {
  runHook,
  startHook,
  type TestPlace,
  testDaemon,
  testPlace,
  until,
} from "./test-kit/setup.ts";

function call(place: TestPlace, command: string, session = "s1") {
  const payload = { session, cwd: place.project, tool: "bash", input: { command } };
  return runHook(place, "before", payload);
}

async function reasonOf(place: TestPlace, command: string, session?: string) {
  const { code, stdout, stderr } = await call(place, command, session);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? undefined : (JSON.parse(stdout).block?.reason as string);
}

function place(extensions: Readonly<Record<string, string>>, deadlines = { tool_call: 200 }) {
  const made = testPlace();
  for (const [name, code] of Object.entries(extensions)) {
    made.write({ [`extensions/${name}.ts`]: code });
  }
  made.write({ "settings.json": JSON.stringify({ deadlines }) });
  return made;
}

const INNOCENT = `export default (pi) => pi.on("tool_call", (e) => e.input.command === "no" && { block: true, reason: "said no" });`;
/** Holds the thread as a loop does, and leaves the processor to the other tests. */
const HOLD = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
const HOLDING = `export default (pi) => pi.on("tool_call", (e) => { if (e.input.command === "freeze") ${HOLD} });`;
const FREEZING = `export default (pi) => pi.on("tool_call", (e) => { while (e.input.command === "freeze"); });`;

it("a handler that never yields is stopped, named, and left out after the second time", {
  timeout: 60_000,
}, async () => {
  const made = place({ freezing: FREEZING, innocent: INNOCENT });
  await testDaemon(made);
  for (let strike = 0; strike < 2; strike++) {
    const reason = await reasonOf(made, "freeze");
    expect(reason).toContain("freezing.ts");
    expect(reason).not.toContain("innocent");
  }
  expect(await reasonOf(made, "freeze")).toBeUndefined();
  expect(await reasonOf(made, "no")).toBe("said no");
  expect(made.logged()).toContain("freezing.ts is left out");
  // Another session is not spared it again, and one that was changed is tried again.
  expect(await reasonOf(made, "freeze", "s2")).toBeUndefined();
  const path = join(made.home, "extensions/freezing.ts");
  writeFileSync(path, INNOCENT.replace("said no", "changed"));
  utimesSync(path, new Date(), new Date(Date.now() + 5_000));
  await runHook(made, "prompt", { session: "s1", cwd: made.project, prompt: "x" });
  expect(await reasonOf(made, "no")).toBe("changed");
});

inFull("one session's frozen handler does not keep another session waiting", async () => {
  const made = place({ freezing: HOLDING, innocent: INNOCENT }, { tool_call: 3_000 });
  await testDaemon(made);
  await reasonOf(made, "x", "s2");
  const order: string[] = [];
  await Promise.all([
    reasonOf(made, "freeze", "s1").then(() => order.push("s1")),
    reasonOf(made, "no", "s2").then(() => order.push("s2")),
  ]);
  expect(order).toEqual(["s2", "s1"]);
});

it("an extension that ends its process ends nothing but its thread, and is named", async () => {
  const made = place({
    quits: `export default (pi) => pi.on("tool_call", async (e) => { await 0; if (e.input.command === "quit") process.exit(3); });`,
    innocent: INNOCENT,
  });
  await testDaemon(made);
  expect(await reasonOf(made, "no")).toBe("said no");
  expect(await reasonOf(made, "quit")).toContain("quits.ts");
  expect(await reasonOf(made, "no")).toBe("said no");
  expect(await daemonStatus(made)).toMatchObject({ pid: process.pid });
});

it("an extension that takes all memory is stopped", async () => {
  const made = place(
    {
      greedy: `export default (pi) => pi.on("tool_call", (e) => { const all = []; while (e.input.command === "more") all.push(new Array(1e6).fill(all.length)); });`,
    },
    { tool_call: 30_000 },
  );
  await testDaemon(made);
  expect(await reasonOf(made, "more")).toContain("greedy.ts");
  expect(await reasonOf(made, "less")).toBeUndefined();
}, 60_000);

const GREEDY: readonly [string, string][] = [
  ["and keeps them", `for (let n = 0; n < 8; n++) kept.push(Buffer.alloc(100e6, 1));`],
  ["without end", `while (kept.length < 200) kept.push(Buffer.alloc(100e6, 1));`],
];
// Both: one is told by what is kept after a call, the other by a call that does not end.
it.each(GREEDY)(
  "an extension that takes Buffers %s is stopped and named, and they are given back",
  {
    timeout: 60_000,
  },
  async (_, takes) => {
    const made = place(
      {
        greedy: `const kept = []; export default (pi) => pi.on("tool_call", (e) => { if (e.input.command === "more") { ${takes} } });`,
        innocent: INNOCENT,
      },
      { tool_call: 30_000 },
    );
    await testDaemon(made);
    expect(await reasonOf(made, "no")).toBe("said no");
    const before = process.memoryUsage.rss();
    await call(made, "more");
    await until(() => made.logged().includes("the worker of aider s1 ended"), 30_000);
    await until(() => process.memoryUsage.rss() - before < 300e6, 30_000);
    // The one that did it is struck, not the one beside it.
    await call(made, "more");
    await until(() => made.logged().includes("greedy.ts is left out until it changes"), 30_000);
    expect(await reasonOf(made, "no")).toBe("said no");
  },
);

inFull(
  "a hook whose client was killed over it is kept and recorded once",
  async () => {
    const slow = `export default (pi) => pi.on("tool_call", () => new Promise((resolve) => setTimeout(resolve, 5000)));`;
    const made = place({ slow }, { tool_call: 30_000 });
    const daemon = await testDaemon(made);
    ensureClient(made.home);
    const { child, ended } = startHook(made, "before");
    child.stdin?.end(JSON.stringify({ session: "s1", cwd: made.project, tool: "bash", input: {} }));
    await until(() =>
      readdirSync(made.journal).some((name) => statSync(join(made.journal, name)).size > 0),
    );
    child.kill("SIGKILL");
    await ended;
    await until(() => readdirSync(made.spool).length === 0, 30_000);
    await until(() => daemon.recorder.records.length > 0, 30_000);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(daemon.recorder.records.map(({ seq }) => seq)).toEqual([1]);
  },
  60_000,
);

it("a handler that throws, or waits too long, blocks the call, and the others' say goes on", async () => {
  const made = place({
    broken: `export default (pi) => pi.on("tool_call", (e) => { if (e.input.command === "throw") throw new Error("boom"); if (e.input.command === "wait") return new Promise(() => {}); });`,
    innocent: INNOCENT,
  });
  await testDaemon(made);
  expect(await reasonOf(made, "throw")).toContain("boom");
  expect(await reasonOf(made, "wait")).toContain("200 ms");
  expect(await reasonOf(made, "no")).toBe("said no");
  expect(made.logged()).toContain("boom");
});

const BROKEN: readonly [string, string, number][] = [
  ["does not parse", "export default (((", 10_000],
  ["throws", "throw new Error('at load');", 10_000],
  // Time enough for the other one on a busy machine, and this one uses it up.
  ["never ends", HOLD, 2_000],
  ["ends the process", "process.exit(1);", 10_000],
];
it.each(sampled(BROKEN, "never ends", "ends the process"))(
  "an extension that %s while it is loaded keeps no other from its work",
  async (_, code, loadDeadlineMs) => {
    const made = place({ broken: code, innocent: INNOCENT });
    const settings = { loadDeadlineMs, deadlines: { tool_call: 5_000 } };
    made.write({ "settings.json": JSON.stringify(settings) });
    await testDaemon(made);
    expect(await reasonOf(made, "ls")).toBeUndefined();
    expect(await reasonOf(made, "no")).toBe("said no");
    expect(made.logged()).toContain("broken.ts");
  },
);

it("a critical extension that does not load blocks tool calls", async () => {
  const made = place({ gate: "export const critical = true;\nexport default (((" });
  await testDaemon(made);
  expect(await reasonOf(made, "ls")).toContain("critical extension");
});

inFull("a critical extension that froze twice blocks tool calls rather than vanish", async () => {
  const made = place({ freezing: `export const critical = true;\n${HOLDING}` });
  await testDaemon(made);
  for (const _ of [1, 2]) expect(await reasonOf(made, "freeze")).toContain("freezing.ts");
  expect(await reasonOf(made, "ls")).toContain("critical extension");
});

it("a hook that cannot be read is blocked where a critical extension could not be asked, and only there", async () => {
  for (const critical of [true, false]) {
    const made = place({ gate: `export const critical = ${critical};\n${INNOCENT}` });
    await testDaemon(made);
    expect(await reasonOf(made, "ls")).toBeUndefined();
    for (const payload of ["", "{", '{"tool":"bash"', "[]", "\ufeff\u0000"]) {
      const { stdout } = await runHook(made, "before", payload);
      if (critical) expect(JSON.parse(stdout).block.reason).toContain("could not read");
      else expect(JSON.parse(stdout).message).toContain("could not read");
      // Nothing can be stopped any more here.
      expect((await runHook(made, "stop", payload)).stdout).toBe("");
    }
    // Status and doctor say so too.
    const became = critical ? "closed" : "open";
    expect(missedHooks(made)).toMatchObject([
      { became, count: 5, why: expect.stringContaining("read") },
    ]);
  }
});
