import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { inFull } from "../../test/setup/sample.ts";
import { askService } from "./ask-service.ts";
import { ask, stopDaemon, textOf } from "./connection.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import type { Question } from "./inbox/question.ts";
import type { InboxLine } from "./people-service.ts";
import type { LiveSession } from "./presence/live-session.ts";
import { watchPeople } from "./presence/watch-people.ts";
import { processPlace } from "./test-kit/processes.ts";
import {
  runHook,
  startHook,
  type TestPlace,
  testDaemon,
  testPlace,
  until,
  useWay,
} from "./test-kit/setup.ts";

const ASKS = `pi.on("tool_call", (e) => e.input.command.includes("rm") && { ask: true, reason: "Really?" });`;
const SELECTS = `pi.on("tool_call", async (e, ctx) => {
  if (!ctx.hasUI) return { block: true, reason: "nobody there" };
  const choice = await ctx.ui.select("Allow " + e.input.command + "?", ["Yes", "No"]);
  if (choice !== "Yes") return { block: true, reason: "chosen: " + choice };
});`;

async function withExtension(code: string) {
  const place = testPlace();
  place.write({ "extensions/gate.ts": `export default (pi) => { ${code} };` });
  return { place, daemon: await testDaemon(place) };
}

/** Somebody at the inbox. */
function attach(place: DaemonPaths) {
  const lines: InboxLine[] = [];
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const end = (async () => {
    for await (const line of watchPeople(place, { name: "test", signal: abort.signal })) {
      lines.push(line);
    }
  })();
  const leave = () => {
    abort.abort();
    return end;
  };
  const attached = () => until(() => lines.length > 0);
  return { lines, leave, attached };
}

/** Asks the daemon that is there, or the next one that a hook starts; starts none itself. */
async function asked(place: DaemonPaths, method: string, path: string, body?: object) {
  for (let tries = 0; ; tries++) {
    try {
      const given = body ? { body: JSON.stringify(body) } : {};
      return JSON.parse(await textOf(await ask(place, method, path, given)));
    } catch (error) {
      if (tries > 500) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function waiting(place: DaemonPaths, count = 1): Promise<Question[]> {
  let found: Question[] = [];
  for (let tries = 0; found.length < count && tries < 500; tries++) {
    ({ questions: found } = await asked(place, "GET", "/v1/inbox"));
    if (found.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(found).toHaveLength(count);
  return found;
}

const answer = (place: DaemonPaths, given: object) =>
  asked(place, "POST", "/v1/inbox/answer", { who: "test", ...given });

async function call(place: TestPlace, command: string, hook = "before", session = "s1") {
  const payload = { session, cwd: place.project, tool: "bash", input: { command } };
  const { stdout } = await runHook(place, hook, payload);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

const sessions = async (place: DaemonPaths) =>
  ((await askService(place, "GET", "/v1/live")) as { sessions: LiveSession[] }).sessions;

describe("a gate that asks", () => {
  it("asks whoever is attached, before the agent's own dialog; yes lets the call run, no stops it", async () => {
    const { place, daemon } = await withExtension(ASKS);
    const { lines, attached } = attach(place);
    await attached();
    const first = call(place, "rm x", "asks");
    const [question] = await waiting(place);
    expect(question).toMatchObject({
      agent: "aider",
      session: "s1",
      cwd: place.project,
      title: "Run bash?",
      message: "Really?",
      choices: ["yes", "no"],
      by: "gate",
      call: { tool: "bash", input: { command: "rm x" } },
      rememberable: ["command", "tool"],
    });
    expect(await sessions(place)).toMatchObject([{ session: "s1", phase: "needs-you" }]);
    await answer(place, { id: question?.id, value: "yes" });
    expect(await first).toBeUndefined();
    const second = call(place, "rm y", "asks");
    const [other] = await waiting(place);
    await answer(place, { id: other?.id, value: "no" });
    expect(await second).toEqual({ block: { reason: "Really? The user said no.", by: "gate" } });
    expect(lines.filter(({ type }) => type === "settled")).toHaveLength(2);
    await until(() => readdirSync(join(place.run, "inbox")).join() === "attended");
    // The record is told who allowed it.
    await until(() => daemon.recorder.records.length === 2);
    expect(daemon.recorder.records[0]?.told).toEqual({ allowed: { who: "test", by: "gate" } });
    expect(daemon.recorder.records[1]?.told.allowed).toBeUndefined();
  });

  it("with nobody attached it is the agent's own dialog, or the fallback, as before", async () => {
    const { place } = await withExtension(ASKS);
    expect(await call(place, "rm x", "asks")).toEqual({ ask: { reason: "Really?", by: "gate" } });
    expect((await call(place, "rm x")).block.reason).toContain("Nobody could be asked");
  });

  it("an answer for good is a rule, and the next time nobody is asked", async () => {
    const { place } = await withExtension(ASKS);
    const { attached, leave } = attach(place);
    await attached();
    const first = call(place, "rm x");
    const [question] = await waiting(place);
    await answer(place, { id: question?.id, value: "no", remember: "command" });
    expect((await first).block.reason).toBe("Really? The user said no.");
    await leave();
    expect((await call(place, "rm x")).block.reason).toBe(
      "Really? The user said that this is never to be done here.",
    );
    expect(readFileSync(join(place.home, "rules.json"), "utf8")).toContain('"command": "rm x"');
  });
});

describe("a dialog of an extension", () => {
  it("reaches whoever is attached, and its handler goes on with the answer", async () => {
    const { place } = await withExtension(SELECTS);
    expect(await call(place, "ls")).toMatchObject({ block: { reason: "nobody there" } });
    const { attached } = attach(place);
    await attached();
    const first = call(place, "ls");
    const [question] = await waiting(place);
    expect(question).toMatchObject({
      title: "Allow ls?",
      choices: ["Yes", "No"],
      method: "select",
      by: "gate",
      call: { tool: "bash", input: { command: "ls" } },
    });
    await answer(place, { id: question?.id, value: "yes" });
    expect(await first).toBeUndefined();
    const second = call(place, "pwd");
    const [other] = await waiting(place);
    await answer(place, { id: other?.id, value: "No" });
    expect(await second).toMatchObject({ block: { reason: "chosen: No" } });
  });

  it("waits with nobody attached once the user's settings say that people will look", async () => {
    const { place } = await withExtension(SELECTS);
    const prompt = { session: "s1", cwd: place.project, prompt: "go" };
    await runHook(place, "prompt", prompt);
    expect(await call(place, "ls")).toMatchObject({ block: { reason: "nobody there" } });
    place.write({ "settings.json": '{ "inbox": { "attended": "always" } }' });
    await runHook(place, "prompt", prompt);
    const asked = call(place, "ls");
    const [question] = await waiting(place);
    await answer(place, { id: question?.id, value: "No" });
    expect(await asked).toMatchObject({ block: { reason: "chosen: No" } });
    place.write({ "settings.json": "{}" });
    await runHook(place, "prompt", prompt);
    expect(await call(place, "ls")).toMatchObject({ block: { reason: "nobody there" } });
  });

  it("that is put off until it is too late stops the call with the word to try again, which is no no", async () => {
    const { place } = await withExtension(`pi.on("tool_call", async (e, ctx) => {
      const isFine = await ctx.ui.confirm("Sure?", e.input.command, { timeout: 1_500 });
      if (!isFine) return { block: true, reason: "the user does not want it" };
    });`);
    const { attached } = attach(place);
    await attached();
    const first = call(place, "ls");
    const [question] = await waiting(place);
    expect(await answer(place, { id: question?.id, act: "hold" })).toEqual({ held: true });
    expect((await first).block).toEqual({
      reason: "This is held by the user, try again later. Nobody said no to it.",
      by: "you",
    });
  });

  it("several wait side by side, and each gets its own answer", async () => {
    const { place } = await withExtension(SELECTS);
    const { attached } = attach(place);
    await attached();
    const calls = ["a", "b", "c"].map((name) => call(place, name, "before", name));
    const questions = await waiting(place, 3);
    for (const { id, session } of questions) {
      await answer(place, { id, value: session === "b" ? "No" : "Yes" });
    }
    expect(await Promise.all(calls)).toEqual([
      undefined,
      { block: { reason: "chosen: No", by: "gate" } },
      undefined,
    ]);
  });

  it("input, editor and confirm give what a person wrote; what closes them closes the question", async () => {
    const { place } = await withExtension(`
      pi.on("tool_call", async (e, ctx) => {
        const { ui } = ctx;
        const said = [
          await ui.confirm("Sure?", "of it"),
          await ui.input("Name?", "a name"),
          await ui.editor("Text", "begin"),
          await ui.select("Short", ["x"], { timeout: 30 }),
          await ui.select("Aborted", ["x"], { signal: AbortSignal.timeout(30) }),
        ];
        return { block: true, reason: JSON.stringify(said) };
      });`);
    const { attached } = attach(place);
    await attached();
    const asked = call(place, "ls");
    for (const [title, value] of [
      ["Sure?", "y"],
      ["Name?", "Ada"],
      ["Text", "line\nline"],
    ]) {
      const [question] = await waiting(place);
      expect(question?.title).toBe(title);
      await answer(place, { id: question?.id, value });
    }
    expect(JSON.parse((await asked).block.reason)).toEqual([true, "Ada", "line\nline", null, null]);
  });

  it("what extensions show and say reaches whoever is attached", async () => {
    const { place } = await withExtension(`
      pi.on("agent_start", (_, ctx) => {
        ctx.ui.setStatus("build", "green");
        ctx.ui.setWidget("todo", ["one", "two"]);
        ctx.ui.notify("look", "warning");
      });`);
    const { attached, lines } = attach(place);
    await attached();
    await runHook(place, "prompt", { session: "s1", cwd: place.project, prompt: "go" });
    await until(() => lines.some(({ type }) => type === "notice"));
    await until(() =>
      lines.some((line) => line.type === "session" && line.session.shown.length === 2),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ type: "notice", text: "look", level: "warning", session: "s1" }),
    );
    const [session] = await sessions(place);
    expect(session?.shown).toEqual([
      { kind: "status", key: "build", lines: ["green"] },
      { kind: "widget", key: "todo", lines: ["one", "two"] },
    ]);
  });
});

inFull(
  "a question whose hook was given up is closed, and an answer that came too late is called lost",
  async () => {
    const { place } = await withExtension(SELECTS);
    const { lines, attached } = attach(place);
    await attached();
    const ring = (command: string) => {
      const { child } = startHook(place, "before");
      const input = { command };
      child.stdin?.end(JSON.stringify({ session: "s1", cwd: place.project, tool: "bash", input }));
      return child;
    };
    useWay(place, "native");
    const second = ring("pwd");
    const [question] = await waiting(place);
    second.kill("SIGKILL");
    await until(() => lines.some(({ type }) => type === "settled"));
    expect(lines.findLast(({ type }) => type === "settled")).toMatchObject({
      id: question?.id,
      settled: { cancelled: true },
    });
    const third = ring("id");
    const [late] = await waiting(place);
    third.kill("SIGKILL");
    await new Promise((resolve) => third.once("close", resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await answer(place, { id: late?.id, value: "Yes" });
    await until(() => lines.some((line) => line.type === "notice"));
    expect(lines.find(({ type }) => type === "notice")).toMatchObject({
      level: "warning",
      text: "Nobody waited any more for the answer to “Allow id?”: “Yes” changed nothing.",
    });
  },
);

inFull("questions of an agent that has ended are closed, and nothing is said to it", async () => {
  const { place } = await withExtension(ASKS);
  const { attached } = attach(place);
  await attached();
  // The client outlives the agent that started it.
  const agent = spawn("sleep", ["60"]);
  const ends = new Promise((resolve) => agent.once("exit", resolve));
  const body = { session: "s1", cwd: place.project, tool: "bash", input: { command: "rm x" } };
  const path = `/v1/hook?agent=aider&hook=before&pid=${agent.pid}`;
  const response = ask(place, "POST", path, { body: JSON.stringify(body) });
  await waiting(place);
  agent.kill("SIGKILL");
  await ends;
  expect(await textOf(await response)).toContain("Nobody could be asked");
  expect(await sessions(place)).toMatchObject([{ phase: "quiet", isEnded: true }]);
  const said = { agent: "aider", session: "s1", text: "x" };
  await expect(askService(place, "POST", "/v1/live/say", said)).rejects.toMatchObject({
    code: "SEAM_SESSION_ENDED",
  });
});

describe("holding and saying", () => {
  const hold = (place: DaemonPaths, off = false) =>
    askService(place, "POST", "/v1/live/hold", { agent: "aider", session: "s1", off });

  it("a held session waits at its next call, also with nobody attached, until it is let go", async () => {
    const { place } = await withExtension("");
    expect(await call(place, "ls")).toBeUndefined();
    await hold(place);
    expect(await sessions(place)).toMatchObject([{ isHeld: true }]);
    const held = call(place, "pwd");
    const [question] = await waiting(place);
    expect(question).toMatchObject({ by: "seam", choices: ["go on", "stop this call"] });
    await hold(place, true);
    expect(await held).toBeUndefined();
    expect(await call(place, "ls")).toBeUndefined();
  });

  it("the call at which it waits can be stopped", async () => {
    const { place } = await withExtension("");
    await call(place, "ls");
    await hold(place);
    const held = call(place, "pwd");
    const [question] = await waiting(place);
    await answer(place, { id: question?.id, value: "stop this call" });
    expect((await held).block).toEqual({ reason: "The user stopped this call.", by: "you" });
  });

  it("a word reaches the session with its next step, once, also when the daemon ended meanwhile", async () => {
    const { place, daemon } = await withExtension("");
    await call(place, "ls");
    const said = { agent: "aider", session: "s1", text: "Use tabs." };
    expect(await askService(place, "POST", "/v1/live/say", said)).toEqual({ when: "next step" });
    expect(await sessions(place)).toMatchObject([{ unheard: 1 }]);
    await daemon.stop();
    await testDaemon(place);
    // It has not spoken to this daemon yet.
    const more = { ...said, text: "Now." };
    expect(await askService(place, "POST", "/v1/live/say", more)).toEqual({ when: "next step" });
    await hold(place);
    await hold(place, true);
    expect(await call(place, "ls")).toEqual({
      context: "The user says: Use tabs.\n\nThe user says: Now.",
    });
    expect(await call(place, "ls")).toBeUndefined();
    expect(await sessions(place)).toMatchObject([{ unheard: 0 }]);
  });

  it("nobody can be held or spoken to who is not there", async () => {
    const { place } = await withExtension("");
    await expect(hold(place)).rejects.toMatchObject({ code: "SEAM_SESSION_UNKNOWN" });
    const said = { agent: "aider", session: "s1", text: "x" };
    await expect(askService(place, "POST", "/v1/live/say", said)).rejects.toMatchObject({
      code: "SEAM_SESSION_UNKNOWN",
    });
  });
});

describe("a daemon that is killed while somebody waits", () => {
  const GATE = `export default (pi) => { ${SELECTS} };`;
  const payload = (place: TestPlace, command: string) => ({
    session_id: "s1",
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_use_id: command,
    tool_input: { command },
  });
  const bash = (place: TestPlace, command: string) =>
    runHook(place, "PreToolUse", payload(place, command), { agent: "claude-code", keeps: true });

  it("the client rings again, the handler asks again, and the answer reaches it", async () => {
    const place = processPlace();
    place.write({ "extensions/gate.ts": GATE });
    await bash(place, "ls");
    const { attached } = attach(place);
    await attached();
    const asked = bash(place, "pwd");
    const [before] = await waiting(place);
    await place.kill("SIGKILL");
    const [after] = await waiting(place);
    expect(after).toEqual(before);
    await answer(place, { id: after?.id, value: "No" });
    expect((await asked).stdout).toContain("chosen: No");
    await until(() => place.recorded().length === 2);
  }, 60_000);

  inFull(
    "a daemon that is asked to end leaves the question to the next one",
    async () => {
      const place = processPlace();
      place.write({ "extensions/gate.ts": GATE });
      await bash(place, "ls");
      const { attached } = attach(place);
      await attached();
      const asked = bash(place, "pwd");
      const [before] = await waiting(place);
      const pid = place.runs();
      expect(await stopDaemon(place)).toBe("ended");
      await until(() => place.runs() !== undefined && place.runs() !== pid);
      const [after] = await waiting(place);
      expect(after?.id).toBe(before?.id);
      await answer(place, { id: after?.id, value: "Yes" });
      expect((await asked).stdout).not.toContain("deny");
      await until(() => place.recorded().length === 2);
    },
    60_000,
  );

  inFull(
    "an answer that was given right before is not asked for again",
    async () => {
      const place = processPlace();
      place.write({ "extensions/gate.ts": GATE });
      await bash(place, "ls");
      const { attached } = attach(place);
      await attached();
      const asked = bash(place, "pwd");
      const [question] = await waiting(place);
      await place.kill("SIGKILL");
      const path = join(place.run, "inbox", `${question?.id}.json`);
      const stored = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...stored, settled: { value: "No", who: "test" } }));
      expect((await asked).stdout).toContain("chosen: No");
    },
    60_000,
  );
});

describe("a session that is interrupted", () => {
  const interrupt = (place: DaemonPaths, session = "s1") =>
    asked(place, "POST", "/v1/live/interrupt", { agent: "aider", session });
  const prompt = (place: TestPlace) =>
    runHook(place, "prompt", { session: "s1", cwd: place.project, prompt: "go" });
  const REASON = "The user interrupted this turn. Stop here and wait for the user.";

  it("ends its turn at the next call where its agent can, and its calls are refused where not", async () => {
    const { place, daemon } = await withExtension("");
    await prompt(place);
    // One of the gates of this agent cannot end a turn.
    expect(await interrupt(place)).toEqual({ ends: "calls refused" });
    const refusal = { reason: REASON, by: "you" };
    expect(await call(place, "ls", "ends")).toEqual({ block: refusal, interrupt: refusal });
    expect(await call(place, "ls", "before")).toEqual({ block: refusal });
    await until(() => daemon.recorder.records.length === 3);
    expect(daemon.recorder.records[1]?.told).toEqual({ block: refusal, interrupt: refusal });
    // The next prompt begins anew.
    await prompt(place);
    expect(await call(place, "ls", "ends")).toBeUndefined();
    await runHook(place, "stop", { session: "s1", cwd: place.project });
    await until(() => daemon.recorder.records.length === 6);
    await expect(
      askService(place, "POST", "/v1/live/interrupt", { agent: "aider", session: "s1" }),
    ).rejects.toMatchObject({ code: "SEAM_SESSION_IDLE" });
  });

  it("does not go on with a call about which somebody is asked, also after the daemon was killed", async () => {
    const { place, daemon } = await withExtension(ASKS);
    const { attached } = attach(place);
    await attached();
    await prompt(place);
    const first = call(place, "rm x", "ends");
    await waiting(place);
    await interrupt(place);
    expect((await first).block.reason).toBe(REASON);
    await daemon.stop();
    await testDaemon(place);
    expect((await call(place, "ls", "ends")).block.reason).toBe(REASON);
  });
});

describe("an extension with the sessions of others", () => {
  /** Does what a command of its own session says, and tells what came of it. */
  const LEADS = `pi.on("tool_call", async (e) => {
    const [what, session] = e.input.command.split(" ");
    if (!pi.sessions[what]) return;
    const to = what === "list" ? [] : [{ agent: "aider", session }, "Look at the build."];
    const came = await pi.sessions[what](...to).catch((error) => error.code);
    return { block: true, reason: JSON.stringify(came ?? "done") };
  });`;
  const lead = async (place: TestPlace, command: string) =>
    JSON.parse((await call(place, command, "before", "leader")).block.reason);

  it("lists, holds, releases, speaks to and interrupts them", async () => {
    const { place } = await withExtension(LEADS);
    await runHook(place, "prompt", { session: "s1", cwd: place.project, prompt: "go" });
    const listed = await lead(place, "list");
    expect(listed.find(({ session }: LiveSession) => session === "s1")).toEqual({
      agent: "aider",
      session: "s1",
      cwd: place.project,
      phase: "working",
      at: expect.any(String),
      isHeld: false,
      prompt: "go",
    });
    expect(await lead(place, "hold s1")).toBe("done");
    const held = call(place, "ls");
    await waiting(place);
    expect(await lead(place, "release s1")).toBe("done");
    expect(await held).toBeUndefined();
    expect(await lead(place, "say s1")).toBe("next step");
    expect((await call(place, "ls")).context).toBe("gate says: Look at the build.");
    expect(await lead(place, "interrupt s1")).toBe("calls refused");
    expect((await call(place, "ls", "ends")).interrupt).toEqual({
      reason: "gate interrupted this turn. Stop here and wait for the user.",
      by: "gate",
    });
    expect(await lead(place, "hold nobody")).toBe("SEAM_SESSION_UNKNOWN");
    expect(await lead(place, "say")).toBe("SEAM_SESSION_INVALID");
  });
});
