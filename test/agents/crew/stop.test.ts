import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect } from "vitest";
import { inFull } from "../../setup/sample.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { record } from "../model-server/json.ts";
import { CrewStage } from "./test-kit/crew-stage.ts";

const missing = whyNotRun(AGENTS["claude-code"]) ?? whyNotRun(AGENTS.codex);

/** Longer than the lease of a worker: as when the lid of a laptop is closed. */
const STOP_MS = 60_000;

const WORKFLOW = `---
name: three
description: three tasks at once
maxConcurrency: 3
---

## one
role: claude

Write one.txt.

## two
role: codex

Write two.txt.

## three
role: own

Write three.txt.
`;

let crew: CrewStage | undefined;
afterEach(() => crew?.stage.remove());

/** A model that thinks while everything is stopped; its agent goes on with the same turn. */
const turnsOf = (name: string) => {
  const toolCalls = [{ do: "shell", command: `echo ${name} >> ${name}.txt` } as const];
  return [{ toolCalls }, { toolCalls, waitMs: 10_000 }, { text: `${name} is there.` }];
};

/** Everything that agents of crews have started, by the mark in its environment. */
function processesOf(home: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const isMarked = environment.some((one) => one.startsWith("SEAM_CREW_ATTEMPT="));
      return isMarked && environment.includes(`SEAM_HOME=${home}`);
    } catch {
      // It has ended.
      return false;
    }
  });
}

/** A command of an agent may come to its end between the look at it and the signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (record(error).code !== "ESRCH") throw error;
  }
}

inFull(
  "Claude Code, Codex and the embedded agent go on after everything was stopped for a minute, and nobody is started twice",
  async ({ skip }) => {
    if (missing !== undefined || process.platform !== "linux") skip(missing);
    crew = new CrewStage({ "README.md": "# An app\n" });
    const { seamHome } = crew.stage;
    const calls = (command: string) => ({
      toolCalls: [{ name: "bash", arguments: { command } }],
    });
    crew.role("claude", "write", "claude-code");
    crew.role("codex", "write", "codex");
    const own = [
      calls("echo three >> three.txt"),
      calls("sleep 10; echo three >> three.txt"),
      { text: "three is there." },
    ];
    crew.role("own", "write", crew.embedded("own", own));
    crew.workflow("three", WORKFLOW);
    const plays = await crew.agents({ "claude-code": turnsOf("one"), codex: turnsOf("two") });
    const id = await crew.start("three", "Write three files.");
    // Each has used a tool by now, so each is in the middle of its turn.
    const isMidway = ({ pid, session }: { pid?: number; session?: string }) =>
      pid !== undefined && session !== undefined;
    await crew.reported(id, ({ attempts }) => attempts.filter(isMidway).length === 3);

    const stopped = [crew.daemon, ...processesOf(seamHome)];
    for (const pid of stopped) signal(pid, "SIGSTOP");
    await sleep(STOP_MS);
    for (const pid of stopped) signal(pid, "SIGCONT");

    const { run, tasks, attempts } = await crew.reported(
      id,
      (now) => now.run.endedAt !== undefined,
    );
    expect([run.state, ...tasks.map(({ state }) => state)]).toEqual([
      "done",
      "done",
      "done",
      "done",
    ]);
    // One that did not finish says why.
    const ends = attempts.map(({ task, end }) => [task, end?.kind === "finished" ? end.kind : end]);
    expect(ends.sort()).toEqual([
      ["one", "finished"],
      ["three", "finished"],
      ["two", "finished"],
    ]);
    expect(plays.map(({ unplayed, overrun }) => [unplayed, overrun])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    for (const name of ["one", "two", "three"]) {
      expect(crew.stage.git("show", `${run.target}:${name}.txt`)).toBe(`${name}\n${name}`);
    }
    expect(processesOf(seamHome)).toEqual([]);
  },
);
