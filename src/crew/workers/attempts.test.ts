import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { bubblewrap } from "../containment/bubblewrap.ts";
import { attemptFiles } from "./attempt-files.ts";
import { lives, processesOf, processIn, wallsIn } from "./attempt-process.ts";
import type { AttemptSpec } from "./attempt-spec.ts";
import { endAttempt } from "./end-attempt.ts";
import type { AttemptEvent } from "./process-watch.ts";
import { startAttempt } from "./start-attempt.ts";
import {
  HEARD,
  impostor,
  newSpec,
  run,
  SAYS_DONE,
  SAYS_INIT,
  scripted,
  scriptOf,
  watch,
} from "./test-kit/attempt.ts";
import { watchAttempt } from "./watch-attempt.ts";

const CALL = `echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Bash"}],"usage":{"input_tokens":900,"output_tokens":100}}}'`;
const RESULT = `echo '{"type":"user","message":{"content":[{"type":"tool_result"}]}}'`;
const HEAR = `echo '{"hook":"PreToolUse","session":"s1","events":["tool_call"]}' >> ${HEARD}`;

const hasWalls = (await bubblewrap(["--dev-bind", "/", "/"])) !== undefined;

/** What the processes of an attempt are known by. */
const marksOf = ({ id, folder }: AttemptSpec) => ({
  attempt: id,
  named: processIn(folder),
  walls: wallsIn(folder),
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

describe("Seam's own agent", () => {
  it("does a task, and its answer is how the attempt ended", async () => {
    const { end, events } = await run(scripted([{ text: "Hello: {input}" }]));
    expect(end).toEqual({ kind: "finished", text: "Hello: go" });
    expect(events.map(({ kind }) => kind)).toContain("session");
  });

  it("is stopped from writing where its role only reads", async () => {
    const spec = scripted(
      [
        { toolCalls: [{ name: "bash", arguments: { command: "echo x > made.txt" } }] },
        { toolCalls: [{ name: "bash", arguments: { command: "ls" } }] },
        { text: "I only looked." },
      ],
      { access: "read" },
    );
    const { end, files } = await run(spec);
    expect(end).toMatchObject({ kind: "finished" });
    expect(existsSync(join(spec.cwd, "made.txt"))).toBe(false);
    expect(readFileSync(files.heard, "utf8")).toContain("Your role only reads");
  });

  it("changes nothing by a program that nobody knows where its role only reads", async () => {
    const command = "sh change.sh; cat kept.txt";
    const spec = scripted(
      [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { text: "Looked." }],
      { access: "read" },
    );
    writeFileSync(join(spec.cwd, "kept.txt"), "as it was\n");
    writeFileSync(join(spec.cwd, "change.sh"), "echo changed > kept.txt; echo made > made.txt\n");
    const { end } = await run(spec);
    expect(end).toMatchObject({ kind: "finished" });
    expect(readFileSync(join(spec.cwd, "kept.txt"), "utf8")).toBe("as it was\n");
    expect(existsSync(join(spec.cwd, "made.txt"))).toBe(false);
  });

  it("gives a typed result, and is asked once more for one that cannot be used", async () => {
    const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    const good = await run(scripted([{ text: 'Here:\n```json\n{"ok":true}\n```' }], { schema }));
    expect(good.end).toMatchObject({ kind: "finished", result: { ok: true } });
    const spec = scripted([{ text: "It went well." }], { schema });
    const answers = (text: string) => (event: AttemptEvent) => {
      if (event.kind === "text") writeFileSync(scriptOf(spec), JSON.stringify([{ text }]));
    };
    const twice = await run(spec, answers('{"ok":true}'));
    expect(twice.end).toMatchObject({
      kind: "finished",
      text: "It went well.",
      result: { ok: true },
    });
    writeFileSync(scriptOf(spec), JSON.stringify([{ text: "Well." }]));
    const never = await run(
      { ...spec, id: `${spec.id}2`, folder: `${spec.folder}2` },
      answers("{}"),
    );
    expect(never.end).toMatchObject({ kind: "failed", reason: expect.stringContaining("no JSON") });
  });

  it("is ended when it has used up its budget", async () => {
    const turns = [...Array(20)].map(() => ({
      toolCalls: [{ name: "bash", arguments: { command: "sleep 0.2" } }],
      usage: { input: 900, output: 100 },
    }));
    const spec = scripted([...turns, { text: "done" }], { budget: { tokens: 1500 } });
    const { end } = await run(spec);
    expect(end).toMatchObject({
      kind: "over-budget",
      reason: expect.stringContaining("of 1500 tokens"),
    });
  });
});

describe("what an agent may be like", () => {
  it("one that is not installed is named before anything starts", async () => {
    const spec = newSpec({ agent: "claude-code", env: { PATH: "/nowhere" } });
    await expect(startAttempt(spec)).rejects.toMatchObject({ code: "SEAM_CREW_AGENT" });
  });

  it("one that exits with 0 and did nothing has failed", async () => {
    const { end } = await run(impostor("exit 0"));
    expect(end).toMatchObject({ kind: "failed", reason: expect.stringContaining("exit code 0") });
  });

  it.each([
    ["Invalid API key · Please run /login", { kind: "logged-out" }],
    [
      "Claude AI usage limit reached|1794999999",
      { kind: "limited", until: "2026-11-18T11:06:39.000Z" },
    ],
    ["Something else", { kind: "failed" }],
  ])("one that says %j is understood", async (said, expected) => {
    const line = JSON.stringify({
      type: "result",
      subtype: "success",
      is_error: true,
      result: said,
    });
    const { end } = await run(impostor(`${SAYS_INIT}; echo '${line}'; exit 1`));
    expect(end).toMatchObject(expected);
  });

  it("one whose hooks are not heard before it uses a tool is ended", async () => {
    const { end } = await run(impostor(`${SAYS_INIT}; ${CALL}; sleep 60; ${SAYS_DONE}`));
    expect(end).toMatchObject({ kind: "ungated" });
  });

  it("one whose hooks are not heard has not done its work, however fast it was", async () => {
    const { end } = await run(impostor(`${SAYS_INIT}; ${CALL}; ${RESULT}; ${SAYS_DONE}`));
    expect(end).toMatchObject({ kind: "ungated" });
  });

  it("one whose calls pass the gate by is ended, though other hooks were heard", async () => {
    const heard = `echo '{"hook":"SessionStart","session":"s1","events":["session_start"]}' >> ${HEARD}`;
    const { end } = await run(impostor(`${SAYS_INIT}; ${heard}; ${CALL}; ${RESULT}; sleep 60`));
    expect(end).toMatchObject({
      kind: "ungated",
      reason: expect.stringContaining("gate was not asked"),
    });
  });

  it("one whose calls come before the gate may work", async () => {
    const { end, events } = await run(
      impostor(`${SAYS_INIT}; ${HEAR}; ${CALL}; ${RESULT}; ${SAYS_DONE}`),
    );
    expect(end).toEqual({ kind: "finished", text: "All done." });
    expect(events).toContainEqual({ kind: "session", session: "s1" });
  });

  it.each(["yes", "yes >&2"])("one that floods with %j is ended", async (flood) => {
    const spec = impostor(`${SAYS_INIT}; ${flood}`);
    await startAttempt(spec);
    const end = await watchAttempt(spec, {
      signal: new AbortController().signal,
      onEvent: () => {},
      floodBytes: 2 ** 20,
    });
    expect(end).toEqual({ kind: "failed", reason: "It printed more than 1 MB, so it was ended." });
    expect(processesOf(marksOf(spec))).toEqual([]);
    const { stdout, stderr } = attemptFiles(spec.folder);
    expect(statSync(stdout).size + statSync(stderr).size).toBeLessThan(2 ** 21 + 1);
  });

  it("one that says nothing any more has stalled", async () => {
    const { end } = await run(impostor(`${SAYS_INIT}; sleep 60`, { stallMinutes: 0.02 }));
    expect(end).toMatchObject({ kind: "stalled" });
  });

  it("one that leaves children behind leaves none behind", async () => {
    const spec = impostor(`setsid sleep 300 & sleep 300 & ${SAYS_INIT}; ${SAYS_DONE}`);
    const { end } = await run(spec);
    expect(end).toMatchObject({ kind: "finished" });
    expect(processesOf(marksOf(spec))).toEqual([]);
  });

  it("one that does not listen to being asked is ended all the same", async () => {
    const spec = impostor(`trap '' TERM; ${SAYS_INIT}; while :; do sleep 1; done`);
    await startAttempt(spec);
    await until(() => existsSync(attemptFiles(spec.folder).stdout));
    await endAttempt(spec, "The run was cancelled.");
    expect(await watch(spec)).toEqual({ kind: "ended", reason: "The run was cancelled." });
    expect(processesOf(marksOf(spec))).toEqual([]);
  });
});

describe("an attempt and those who watch it", () => {
  it("goes on without them, and is joined again", async () => {
    const spec = impostor(
      `${SAYS_INIT}; until [ -e "$HOME/go" ]; do sleep 0.05; done; ${SAYS_DONE}`,
    );
    const gone = new AbortController();
    const watching = run(spec, () => {}, gone.signal);
    await until(() => processIn(spec.folder) !== undefined);
    gone.abort(new Error("the daemon ended"));
    await expect(watching).rejects.toThrow("the daemon ended");
    const named = processIn(spec.folder);
    expect(named && lives(named)).toBe(true);
    expect(await startAttempt(spec)).toEqual(named);
    writeFileSync(join(spec.env.HOME ?? "", "go"), "");
    expect(await watch(spec)).toEqual({ kind: "finished", text: "All done." });
    // Watched again after its end, it ended in the same way.
    expect(await watch(spec)).toEqual({ kind: "finished", text: "All done." });
  });

  it.skipIf(!hasWalls)(
    "that is over is not taken for one whose walls have its number now",
    async () => {
      const spec = impostor(`${SAYS_INIT}; ${SAYS_DONE}`);
      await run(spec);
      const { walls } = attemptFiles(spec.folder);
      const command =
        'exec bwrap --json-status-fd 9 --die-with-parent --dev-bind / / sleep 300 9>"$0"';
      const stranger = spawn("sh", ["-c", command, walls], { stdio: "ignore" });
      onTestFinished(() => void stranger.kill("SIGKILL"));
      await until(() => wallsIn(spec.folder) !== undefined);
      expect(processesOf(marksOf(spec))).toEqual([]);
    },
  );

  it("is known to be killed", async () => {
    const spec = impostor(`${SAYS_INIT}; sleep 60`);
    const { pid } = await startAttempt(spec);
    process.kill(-pid, "SIGKILL");
    expect(await watch(spec)).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("killed"),
    });
  });
});
