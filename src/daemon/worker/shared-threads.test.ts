import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { ask as askDaemon, daemonStatus } from "../connection.ts";
import { type TestPlace, testDaemon, testPlace, until } from "../test-kit/setup.ts";

/** Asks for a tool call straight at the daemon, and gives the reason it was blocked for. */
async function reasonOf(place: TestPlace, session: string, command: string, cwd = place.project) {
  const body = JSON.stringify({ session, cwd, tool: "bash", input: { command } });
  const path = "/v1/hook?agent=aider&hook=before";
  const response = await askDaemon(place, "POST", path, { body });
  let text = "";
  for await (const part of response as AsyncIterable<Buffer>) text += part.toString("utf8");
  return text === "" ? undefined : (JSON.parse(text).block?.reason as string | undefined);
}

async function withExtensions(
  extensions: Readonly<Record<string, string>>,
  deadlines = { tool_call: 10_000 },
) {
  const place = testPlace();
  for (const [name, code] of Object.entries(extensions)) {
    place.write({ [`extensions/${name}.ts`]: code });
  }
  place.write({ "settings.json": JSON.stringify({ deadlines }) });
  await testDaemon(place);
  return place;
}

const gate = (code: string) =>
  `export default (pi) => pi.on("tool_call", async (e, ctx) => { const { command } = e.input; ${code} });`;

inFull(
  "a hundred sessions with the same extension share a few threads, and all are answered",
  async () => {
    const place = await withExtensions({
      gate: gate(`return { block: true, reason: ctx.sessionManager.getSessionId() };`),
    });
    const sessions = Array.from({ length: 100 }, (_, n) => `s${n}`);
    for (const _ of [1, 2]) {
      const reasons = await Promise.all(sessions.map((session) => reasonOf(place, session, "x")));
      expect(reasons).toEqual(sessions);
    }
    const status = await daemonStatus(place);
    expect(status).toMatchObject({ sessions: 100, workers: 100, troubles: [] });
    expect(status?.threads).toBeLessThanOrEqual(16);
  },
  120_000,
);

it("sessions in one thread have modules, folder and environment of their own", async () => {
  const place = await withExtensions({
    counts: `let calls = 0;
      export default (pi) => pi.on("tool_call", async (e) => {
        calls++;
        if (e.input.command !== "look") process.env.LAST = e.input.command;
        await new Promise((resolve) => setTimeout(resolve, 5));
        const { execSync } = require("node:child_process");
        const child = execSync("echo $LAST", { encoding: "utf8" }).trim();
        return { block: true, reason: [calls, process.cwd(), process.env.LAST, "LAST" in process.env, child].join(" ") };
      });`,
  });
  const other = join(place.project, ".seam");
  const both = (command: string) =>
    Promise.all([reasonOf(place, "a", command), reasonOf(place, "b", "look", other)]);
  await both("one");
  expect(await both("two")).toEqual([`2 ${place.project} two true two`, `2 ${other}  false `]);
  expect(await daemonStatus(place)).toMatchObject({ workers: 2, threads: 1 });
});

it("projects with the same extension in folders of their own share a thread, others do not", async () => {
  const place = await withExtensions({ gate: gate(`return { block: true, reason: "a" };`) });
  await reasonOf(place, "one", "x");
  await reasonOf(place, "two", "x", join(place.project, ".seam"));
  expect(await daemonStatus(place)).toMatchObject({ workers: 2, threads: 1 });
  writeFileSync(
    join(place.home, "extensions/gate.ts"),
    gate(`return { block: true, reason: "other" };`),
  );
  expect(await reasonOf(place, "three", "x", join(place.home, "extensions"))).toBe("other");
  expect(await daemonStatus(place)).toMatchObject({ workers: 3, threads: 2 });
});

it.each(["globalThis.seen = command;", `process.once("exit", () => {});`])(
  "an extension that uses what a thread has only one of has it to itself: %s",
  async (code) => {
    const place = await withExtensions({ gate: gate(code) });
    await reasonOf(place, "a", "x");
    await reasonOf(place, "b", "x");
    expect(await daemonStatus(place)).toMatchObject({ workers: 2, threads: 2 });
  },
);

const WILD = {
  wild: gate(`
    if (command === "exit") process.exit(1);
    if (command === "freeze") { await null; while (true); }
    if (command === "wait") await new Promise((resolve) => setTimeout(resolve, 200));
    return { block: true, reason: "asked about " + command };`),
};

it("a session that ends its thread takes no answer from those beside it, and has the next one alone", async () => {
  const place = await withExtensions(WILD, { tool_call: 2_000 });
  for (const session of ["a", "b", "c"]) await reasonOf(place, session, "x");
  expect(await daemonStatus(place)).toMatchObject({ workers: 3, threads: 1 });
  const waiting = ["b", "c"].map((session) => reasonOf(place, session, "wait"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await reasonOf(place, "a", "exit")).toContain("wild.ts");
  expect(await Promise.all(waiting)).toEqual(["asked about wait", "asked about wait"]);
  expect(await reasonOf(place, "a", "x")).toBe("asked about x");
  expect(await daemonStatus(place)).toMatchObject({ workers: 3, threads: 2 });
});

inFull(
  "a session that freezes after an await is found out, and those beside it are answered meanwhile",
  async () => {
    const place = await withExtensions(WILD, { tool_call: 4_000 });
    for (const session of ["a", "b"]) await reasonOf(place, session, "x");
    const order: string[] = [];
    const frozen = reasonOf(place, "a", "freeze").then((reason) => {
      order.push("a");
      return reason;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const reason = await reasonOf(place, "b", "x");
    order.push("b");
    expect(reason).toBe("asked about x");
    expect(await frozen).toContain("wild.ts");
    expect(order).toEqual(["b", "a"]);
    expect(place.logged()).toMatch(/aider b: it moves to another thread/);
    expect(place.logged()).toMatch(/the worker of aider a stuck/);
  },
  60_000,
);

it("a thread ends with its last session", async () => {
  const place = await withExtensions({ gate: gate("") });
  for (const session of ["a", "b"]) await reasonOf(place, session, "x");
  for (const [session, threads] of [
    ["a", 1],
    ["b", 0],
  ] as const) {
    const body = JSON.stringify({ session, cwd: place.project });
    await askDaemon(place, "POST", "/v1/hook?agent=aider&hook=end", { body });
    let now: number | undefined;
    await until(() => {
      void daemonStatus(place).then((status) => {
        now = status?.threads;
      });
      return now === threads;
    });
  }
  expect(readFileSync(place.log, "utf8")).not.toContain("could not");
});
