import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { daemonStatus } from "./connection.ts";
import { runHook, type TestPlace, testDaemon, testPlace, until, WAYS } from "./test-kit/setup.ts";

/** Runs hooks one after the other and gives what each printed. */
async function ask(place: TestPlace, hook: string, payload: Record<string, unknown>) {
  const end = await runHook(place, hook, { session: "s1", cwd: place.project, ...payload });
  expect(end).toMatchObject({ code: 0, stderr: "" });
  return end.stdout === "" ? undefined : JSON.parse(end.stdout);
}

async function withExtension(code: string, files: Readonly<Record<string, string>> = {}) {
  const place = testPlace();
  place.write({ "extensions/gate.ts": `export default (pi) => { ${code} };`, ...files });
  return { place, daemon: await testDaemon(place) };
}

const bash = (command: string) => ({ tool: "bash", input: { command } });

describe("a tool call", () => {
  it("is blocked by an extension, and what would have followed does not happen", async () => {
    const { place, daemon } = await withExtension(`
      pi.on("tool_call", (e) => e.input.command.includes("rm") && { block: true, reason: "no rm" });`);
    const block = { reason: "no rm", by: "gate" };
    expect(await ask(place, "before", bash("rm x"))).toEqual({ block });
    expect(await ask(place, "before", bash("ls"))).toBeUndefined();
    const { records } = daemon.recorder;
    await until(() => records.length === 2);
    expect(records.map(({ seq, events, told }) => ({ seq, events, told }))).toEqual([
      { seq: 1, events: ["tool_call"], told: { block } },
      { seq: 2, events: ["tool_call", "tool_execution_start"], told: {} },
    ]);
  });

  it("is asked about in the agent's own dialog, and blocked where there is none", async () => {
    const { place, daemon } = await withExtension(`
      pi.on("tool_call", (e) => e.input.command.includes("rm") && { ask: true, reason: "Really?" });`);
    const question = { reason: "Really?", by: "gate" };
    expect(await ask(place, "asks", bash("rm x"))).toEqual({ ask: question });
    const { block } = await ask(place, "before", bash("rm x"));
    expect(block).toEqual({
      reason: "Really? Nobody could be asked, so it was blocked.",
      by: "gate",
    });
    const { records } = daemon.recorder;
    await until(() => records.length === 2);
    expect(records.map(({ events, told }) => ({ events, told }))).toEqual([
      { events: ["tool_call", "tool_execution_start"], told: { ask: question } },
      { events: ["tool_call"], told: { block } },
    ]);
  });

  it("runs unasked where nobody is there if the handler says so", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", () => ({ ask: true, reason: "Really?", unanswered: "allow" }));`);
    expect(await ask(place, "before", bash("x"))).toBeUndefined();
    expect((await ask(place, "asks", bash("x"))).ask.reason).toBe("Really?");
  });

  it("is not asked about when another extension blocks it", async () => {
    const { place } = await withExtension(
      `pi.on("tool_call", () => ({ ask: true, reason: "Really?", unanswered: "allow" }));`,
      {
        "extensions/later.ts": `export default (pi) => { pi.on("tool_call", () => ({ block: true, reason: "no" })); };`,
      },
    );
    expect(await ask(place, "asks", bash("x"))).toEqual({ block: { reason: "no", by: "later" } });
  });

  it("that extensions only watch does not wait for them", async () => {
    const { place } = await withExtension(`
      const { writeFileSync } = require("node:fs");
      pi.on("tool_execution_start", ({ args }) => {
        const end = Date.now() + (JSON.stringify(args).includes("slow") ? 2_500 : 0);
        while (Date.now() < end);
        writeFileSync(process.env.SEAM_HOME + "/seen", JSON.stringify(args));
      });`);
    const seen = join(place.home, "seen");
    const isSeen = (what: string) => existsSync(seen) && readFileSync(seen, "utf8").includes(what);
    expect(await ask(place, "before", bash("first"))).toBeUndefined();
    await until(() => isSeen("first"));
    expect(await ask(place, "before", bash("slow"))).toBeUndefined();
    expect(isSeen("slow")).toBe(false);
    await until(() => isSeen("slow"));
  });

  it("gets the changed input in the agent's own words", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", (e) => { e.input.command += " --dry-run"; });`);
    const input = { native: { command: "x --dry-run" } };
    expect(await ask(place, "before", bash("x"))).toEqual({ input });
  });

  it("never runs unchanged when its change cannot be passed on", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", (e) => { e.input.impossible = true; });`);
    const { block } = await ask(place, "before", bash("x"));
    expect(block).toEqual({
      by: "gate",
      reason: expect.stringContaining("gate changed the input of bash"),
    });
    expect((await ask(place, "strict", bash("x"))).block.reason).toContain("Fake Agent");
  });

  it("that touches several files runs as a whole or not at all", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", (e) => e.input.path === "/b" && { block: true, reason: "not b" });`);
    const patch = (...files: string[]) => ask(place, "before", { tool: "edit", files });
    expect((await patch("/a", "/b", "/c")).block.reason).toBe("not b");
    expect(await patch("/a", "/c")).toBeUndefined();
  });

  it("is blocked by exit code and stderr where the agent wants that", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", () => ({ block: true, reason: "a 'quoted' \\\\reason %s\\nin two lines" }));`);
    const payload = { session: "s", cwd: place.project, ...bash("x") };
    for (const via of WAYS) {
      const end = await runHook(place, "exit", payload, { via });
      const stderr = "a 'quoted' \\reason %s\nin two lines ü\n";
      expect(end).toEqual({ code: 2, stdout: "", stderr });
    }
  });

  it("can be given more for the model, and a notice for the user", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", (_, ctx) => { ctx.ui.notify("seen"); return { additionalContext: "mind" }; });`);
    expect(await ask(place, "before", bash("x"))).toEqual({ context: "mind", message: "seen" });
  });
});

describe("a prompt", () => {
  it("can be handled by an extension: the agent does not see it", async () => {
    const { place, daemon } = await withExtension(`
      pi.on("input", (e) => e.text === "secret" && { action: "handled" });`);
    const answer = await ask(place, "prompt", { prompt: "secret" });
    expect(answer.prompt.blocked).toContain("gate");
    await until(() => daemon.recorder.records.length === 1);
    expect(daemon.recorder.records[0]?.events).toEqual(["input"]);
  });

  it("that was added to goes on with the addition as context", async () => {
    const { place } = await withExtension(`
      pi.on("input", (e) => ({ action: "transform", text: "Be brief. " + e.text }));
      pi.on("before_agent_start", () => ({ message: { customType: "x", content: "hint" } }));`);
    const answer = await ask(place, "prompt", { prompt: "why?" });
    expect(answer).toEqual({ context: expect.stringContaining("Be brief.") });
    expect(answer.context).toContain("hint");
  });

  it("that was changed is stopped where the agent cannot be told, with the new text", async () => {
    const { place } = await withExtension(`
      pi.on("input", (e) => ({ action: "transform", text: e.text.replace("12345", "***") }));`);
    const { prompt } = await ask(place, "prompt", { prompt: "my pin is 12345" });
    expect(prompt.blocked).toContain("my pin is ***");
  });
});

describe("a result", () => {
  const result = { tool: "bash", input: { command: "x" }, output: "out" };

  it("can be replaced", async () => {
    const { place } = await withExtension(`
      pi.on("tool_result", () => ({ content: [{ type: "text", text: "hidden" }] }));`);
    expect((await ask(place, "after", result)).result).toEqual({
      content: [{ type: "text", text: "hidden" }],
      isError: false,
    });
  });

  it("is told of before and after it is in the journal", async () => {
    const { place } = await withExtension(`
      const { appendFileSync, readdirSync, statSync } = require("node:fs");
      const size = () => readdirSync("${"@"}/run/journal").reduce((n, f) => n + statSync("${"@"}/run/journal/" + f).size, 0);
      for (const name of ["before_tool_call_persist", "after_tool_call_persist"])
        pi.on(name, async (e) => { await 0; appendFileSync("${"@"}/seen", name + " " + e.toolCallId + " " + (size() > 0) + "\\n"); });`);
    const path = join(place.home, "extensions/gate.ts");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("@", place.home));
    await ask(place, "after", result);
    const seen = join(place.home, "seen");
    await until(() => existsSync(seen) && readFileSync(seen, "utf8").split("\n").length === 3);
    expect(readFileSync(seen, "utf8")).toBe(
      "before_tool_call_persist c1 false\nafter_tool_call_persist c1 true\n",
    );
  });
});

describe("the persist pair", () => {
  /** Notes the events, each with what of it is asked for. */
  const noting = (what: string) => `
    const { appendFileSync } = require("node:fs");
    for (const name of ["before_tool_call_persist", "after_tool_call_persist"])
      pi.on(name, async (e) => { await 0; appendFileSync("@/seen", JSON.stringify({ name, ...(${what}) }) + "\\n"); });`;

  async function seenBy(code: string, hook: string, payload: Record<string, unknown>) {
    const { place, daemon } = await withExtension(code);
    const path = join(place.home, "extensions/gate.ts");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("@", place.home));
    const answer = await ask(place, hook, payload);
    const seen = join(place.home, "seen");
    const lines = () => (existsSync(seen) ? readFileSync(seen, "utf8").trim().split("\n") : []);
    await until(() => lines().length === 2);
    return { answer, daemon, told: lines().map((line) => JSON.parse(line)) };
  }

  const result = { tool: "bash", input: { command: "x" }, output: "out" };

  it("has the result as it was replaced", async () => {
    const replaced = { content: [{ type: "text", text: "hidden" }], isError: true };
    const { answer, told } = await seenBy(
      `${noting("{ toolResult: e.toolResult }")}
      pi.on("tool_result", () => (${JSON.stringify(replaced)}));`,
      "after",
      result,
    );
    expect(answer.result).toEqual(replaced);
    expect(told).toEqual([
      { name: "before_tool_call_persist" },
      { name: "after_tool_call_persist", toolResult: replaced },
    ]);
  });

  it("of a call that an extension stopped comes with the reason, around its place in the record", async () => {
    const { answer, told, daemon } = await seenBy(
      `${noting("{ call: e.toolCallId, input: e.toolInput, result: e.toolResult, key: e.sessionKey }")}
      pi.on("before_tool_call_persist", () => new Promise((resolve) => setTimeout(resolve, 100)));
      pi.on("tool_call", () => ({ block: true, reason: "no" }));`,
      "before",
      bash("rm x"),
    );
    expect(answer).toEqual({ block: { reason: "no", by: "gate" } });
    const common = { call: "c1", input: { command: "rm x" }, key: "s1" };
    expect(told).toEqual([
      { name: "before_tool_call_persist", ...common },
      {
        name: "after_tool_call_persist",
        ...common,
        result: { content: [{ type: "text", text: "no" }], isError: true },
      },
    ]);
    expect(daemon.recorder.records.map(({ told }) => told)).toEqual([answer]);
  });

  it("of a stopped call comes once, also where the agent then says that it failed", async () => {
    const { place } = await withExtension("");
    place.write({
      "extensions/gate.ts": `export default (pi) => { ${noting("{ call: e.toolCallId }")}
        pi.on("tool_call", (e) => e.input.command === "rm x" && { block: true, reason: "no" }); };`.replaceAll(
        "@",
        place.home,
      ),
    });
    const call = { ...bash("rm x"), call: "stopped" };
    expect((await ask(place, "before", call)).block).toBeDefined();
    await ask(place, "after", { ...call, output: "it failed" });
    await ask(place, "after", { ...result, call: "ran" });
    const seen = join(place.home, "seen");
    const calls = () =>
      readFileSync(seen, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).call);
    await until(() => existsSync(seen) && calls().filter((one) => one === "ran").length === 2);
    expect(calls().filter((one) => one === "stopped")).toHaveLength(2);
  });

  it("of a call that runs comes with its result and not before", async () => {
    const { place } = await withExtension("");
    place.write({
      "extensions/gate.ts": `export default (pi) => { ${noting("{}")} };`.replaceAll(
        "@",
        place.home,
      ),
    });
    await ask(place, "before", bash("ls"));
    await ask(place, "after", result);
    const seen = join(place.home, "seen");
    await until(() => existsSync(seen) && readFileSync(seen, "utf8").split("\n").length === 3);
  });
});

describe("what an extension says on its own", () => {
  it("sends the agent back to work when it stops", async () => {
    const { place } = await withExtension(`
      let once = false;
      pi.on("agent_end", async (e) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (!once) pi.sendUserMessage("run the tests: " + e.messages[0].content[0].text);
        once = true;
      });`);
    expect(await ask(place, "stop", { last: "done" })).toEqual({ goOn: "run the tests: done" });
    expect(await ask(place, "stop", { last: "done" })).toBeUndefined();
  });

  it("at the beginning of a session goes along with it", async () => {
    const { place } = await withExtension(`
      pi.on("session_start", async (_, ctx) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        pi.sendMessage({ customType: "x", content: "tabs here" });
        ctx.ui.notify("watching");
      });`);
    expect(await ask(place, "start", {})).toEqual({ context: "tabs here", message: "watching" });
  });

  it("waits for a hook that can carry it", async () => {
    const { place } = await withExtension(`
      pi.on("tool_result", () => pi.sendMessage({ customType: "x", content: "look at the log" }));`);
    expect(await ask(place, "after", { ...bash("x"), output: "o" })).toBeUndefined();
    expect(await ask(place, "stop", {})).toBeUndefined();
    expect(await ask(place, "before", bash("y"))).toEqual({ context: "look at the log" });
    expect(await ask(place, "before", bash("y"))).toBeUndefined();
  });

  it("throws clearly where the agent cannot do it", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", (e, ctx) => {
        try { ctx.abort(); } catch (error) { return { block: true, reason: error.code + " " + ctx.mode + " " + ctx.hasUI + " " + ctx.sessionManager.getSessionId() + " " + ctx.can("tool_call") + " " + ctx.can("context") + " " + ctx.cwd + " " + process.cwd() }; }
      });`);
    const { reason } = (await ask(place, "before", bash("x"))).block;
    const { project } = place;
    expect(reason).toBe(`SEAM_AGENT_CANNOT hook false s1 true false ${project} ${project}`);
  });
});

test("a compaction is cancelled", async () => {
  const { place } = await withExtension(`
    pi.on("session_before_compact", (e) => ({ cancel: e.signal instanceof AbortSignal }));`);
  expect(await ask(place, "compact", {})).toEqual({ cancel: { reason: expect.any(String) } });
});

describe("extensions", () => {
  const COUNTING = `
    const { appendFileSync } = require("node:fs");
    const say = (text) => appendFileSync(__dirname + "/../seen", text + " ");
    for (const name of ["session_start", "session_shutdown"]) pi.on(name, (e) => say(name + ":" + e.reason));
    pi.on("agent_start", () => say("prompt"));`;
  const seen = (place: TestPlace) => {
    const path = join(place.home, "seen");
    return existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  };

  it("see a session begin and end, each in a worker of their own", async () => {
    const { place } = await withExtension(COUNTING);
    await ask(place, "start", {});
    await ask(place, "prompt", { prompt: "x" });
    await until(() => seen(place).endsWith("prompt"));
    await ask(place, "end", {});
    await ask(place, "end", {});
    await until(() => seen(place).endsWith("quit"));
    expect(seen(place)).toBe("session_start:startup prompt session_shutdown:quit");
  });

  it("are told of a session whose beginning nobody saw", async () => {
    const { place } = await withExtension(COUNTING);
    await ask(place, "prompt", { prompt: "x" });
    await until(() => seen(place).endsWith("prompt"));
    expect(seen(place)).toBe("session_start:resume prompt");
  });

  it("that changed are loaded again with the next prompt", async () => {
    const { place } = await withExtension(COUNTING);
    await ask(place, "start", {});
    await until(() => seen(place).includes("startup"));
    const path = join(place.home, "extensions/gate.ts");
    writeFileSync(
      path,
      `export default (pi) => { ${COUNTING} pi.on("tool_call", () => ({ block: true, reason: "new" })); };`,
    );
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    await ask(place, "prompt", { prompt: "x" });
    await until(() => seen(place).endsWith("prompt"));
    expect(seen(place)).toContain("session_shutdown:reload");
    expect((await ask(place, "before", bash("x"))).block.reason).toBe("new");
  });

  it("of a project run only if the user trusts them", async () => {
    const place = testPlace();
    const folder = join(place.project, ".seam/extensions");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "x.ts"),
      `export default (pi) => pi.on("tool_call", () => ({ block: true }));`,
    );
    await testDaemon(place);
    expect(await ask(place, "before", bash("x"))).toEqual({
      message: expect.stringContaining("1 extension. To read it and decide, run there: seam trust"),
    });
    expect(await ask(place, "before", bash("x"))).toBeUndefined();
  });

  it("that are not there cost no worker", async () => {
    const place = testPlace();
    const daemon = await testDaemon(place);
    await ask(place, "start", {});
    await ask(place, "before", bash("x"));
    expect(await daemonStatus(daemon.paths)).toMatchObject({ sessions: 1, workers: 0 });
  });
});
