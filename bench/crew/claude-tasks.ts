import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { programsFor } from "../../test/agents/crew/test-kit/programs.ts";
import { AGENTS } from "../../test/agents/drive/agents/index.ts";
import { whyNotRun } from "../../test/agents/drive/installed.ts";
import { modelServer, scene } from "../../test/agents/drive/launch.ts";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { CrewScratch, timed } from "./scratch.ts";

const run = promisify(execFile);
const NAMES = ["one", "two", "three"];
/** A quick model: what a crew adds shows more than it does in practice. */
const ANSWER_MS = 1_000;
const ROUNDS = Number(process.env.BENCH_CREW_ROUNDS ?? 5);

/** Three tasks for the real Claude Code, one after the other: as a crew, and typed by hand. */
export async function* claudeTasksCases(say: (text: string) => void): AsyncGenerator<Case> {
  const reason = whyNotRun(AGENTS["claude-code"]);
  if (reason !== undefined) {
    say(`no tasks of the real Claude Code (${reason}; npm run test:agents installs it)`);
    return;
  }
  say(`three tasks of the real Claude Code, ${ROUNDS} rounds`);
  const [bare, crewed] = [new CrewScratch(), new CrewScratch()];
  for (const { root } of [bare, crewed]) programsFor(root, ["claude-code"]);
  const tasks = NAMES.map((name, at) => {
    const after = at === 0 ? "" : `dependsOn: ${NAMES[at - 1]}\n`;
    return `## ${name}\nrole: walker\nagent: claude-code\n${after}\nWrite ${name}.txt.\n`;
  });
  crewed.workflow("three", "", tasks);
  try {
    const series = await interleave(
      { "by hand": () => byHand(bare), crew: () => asCrew(crewed) },
      { rounds: ROUNDS, warmUps: 1 },
    );
    yield atMost({
      name: `a run of 3 sequential tasks with Claude Code, answers of the model after ${ANSWER_MS} ms`,
      value: pairedRatio(series.crew, series["by hand"]),
      bar: 1.15,
      unit: "times the same commands by hand",
      detail: medians(series, "ms"),
    });
  } finally {
    for (const scratch of [bare, crewed]) await scratch.remove();
    await (await modelServer()).close();
  }
}

async function byHand(scratch: CrewScratch): Promise<number> {
  const { env, hasPlayed } = await claudeIn(scratch);
  const flags = ["--output-format", "stream-json", "--verbose"];
  const ms = await timed(async () => {
    for (const name of NAMES) {
      const args = ["-p", `Write ${name}.txt.`, ...flags, "--permission-mode", "bypassPermissions"];
      const command = run("claude", args, { cwd: scratch.project, env });
      command.child.stdin?.end();
      await command;
    }
  });
  hasPlayed();
  scratch.git("clean", "--quiet", "--force");
  return ms;
}

async function asCrew(scratch: CrewScratch): Promise<number> {
  const { env, hasPlayed } = await claudeIn(scratch);
  Object.assign(scratch.env, env);
  const args = ["crew", "run", "three", "Write.", "--agree", "--json"];
  const ms = await timed(() => scratch.seam(...args));
  hasPlayed();
  return ms;
}

/** What Claude Code needs to find a model that plays three tasks. */
async function claudeIn(scratch: CrewScratch) {
  const { root, project: cwd } = scratch;
  const home = join(root, "home");
  mkdirSync(home, { recursive: true });
  const script = NAMES.flatMap((name) => [
    {
      waitMs: ANSWER_MS,
      toolCalls: [{ do: "shell", command: `echo ${name} > ${name}.txt` } as const],
    },
    { waitMs: ANSWER_MS, text: "Done." },
  ]);
  const place = { root, home, cwd };
  const { env, play } = await scene({ ...place, agent: "claude-code", prompt: "", script });
  const hasPlayed = () => {
    if (play.unplayed > 0 || play.overrun > 0) throw new Error("Claude Code did not do all tasks.");
  };
  return { env: { ...env, PATH: `${join(root, "bin")}:${env.PATH}` }, hasPlayed };
}
