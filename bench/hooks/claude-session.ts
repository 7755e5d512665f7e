import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AGENTS } from "../../test/agents/drive/agents/index.ts";
import { whyNotRun } from "../../test/agents/drive/installed.ts";
import type { Intent } from "../../test/agents/drive/intents.ts";
import { modelServer } from "../../test/agents/drive/launch.ts";
import { Stage } from "../../test/agents/seam/test-kit/stage.ts";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";

const TOOLS = 20;
/** A fast model: what hooks cost shows more than it does in practice. */
const ANSWER_MS = 300;
const ROUNDS = 7;

/**
 * The real Claude Code at work, with Seam and one extension and without: what a person waits. Beside
 * that a session whose hooks do nothing: no hook that is a command can cost less.
 */
export async function* claudeSessionCases(say: (text: string) => void): AsyncGenerator<Case> {
  const reason = whyNotRun(AGENTS["claude-code"]);
  if (reason !== undefined) {
    say(`no session of the real Claude Code (${reason}; npm run test:agents installs it)`);
    return;
  }
  say(`sessions of the real Claude Code with ${TOOLS} tools`);
  const stages = { bare: new Stage(), empty: new Stage(), seamed: new Stage() };
  const { bare, empty, seamed } = stages;
  try {
    seamed.use("permission-gate");
    seamed.seam("enable", "--agent", "claude-code", "--yes");
    hookInto(empty, hooksOf(seamed), "true");
    const series = await interleave(
      {
        bare: () => timeSession(bare),
        empty: () => timeSession(empty),
        seamed: () => timeSession(seamed),
      },
      { rounds: ROUNDS, warmUps: 1 },
    );
    const hooks = seamed.journal().length / (ROUNDS + 1);
    if (hooks < 2 * TOOLS) throw new Error(`Seam heard of ${hooks} hooks in a session only.`);
    yield atMost({
      name: `the real Claude Code, ${TOOLS} tools, answers of the model after ${ANSWER_MS} ms`,
      value: pairedRatio(series.seamed, series.bare),
      bar: 1.15,
      unit: "times as long as without Seam",
      detail: [
        ...medians(
          {
            "with Seam": series.seamed,
            without: series.bare,
            "hooks that do nothing": series.empty,
          },
          "ms",
        ),
        { name: "hooks in a session", value: hooks, unit: "" },
      ],
    });
  } finally {
    await Promise.all(Object.values(stages).map((stage) => stage.remove()));
    await (await modelServer()).close();
  }
}

const SETTINGS = ".claude/settings.local.json";

/** The events for which a project has hooks. */
function hooksOf({ cwd }: Stage): string[] {
  const { hooks } = JSON.parse(readFileSync(join(cwd, SETTINGS), "utf8"));
  return Object.keys(hooks);
}

function hookInto({ cwd }: Stage, events: readonly string[], command: string): void {
  const entry = [{ hooks: [{ type: "command", command }] }];
  const file = join(cwd, SETTINGS);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks: Object.fromEntries(events.map((e) => [e, entry])) }));
}

async function timeSession(stage: Stage): Promise<number> {
  const calls = Array.from({ length: TOOLS }, (_, n): Intent => {
    return n % 2 === 0 ? { do: "shell", command: "true" } : { do: "read", path: "README.md" };
  });
  const script = [
    ...calls.map((call) => ({ waitMs: ANSWER_MS, toolCalls: [call] })),
    { waitMs: ANSWER_MS, text: "Done." },
  ];
  const startedAt = performance.now();
  const run = await stage.launch({ agent: "claude-code", prompt: "please go", script });
  const ms = performance.now() - startedAt;
  if (run.code !== 0 || run.unplayed > 0) {
    throw new Error(`Claude Code ended with ${run.code}: ${run.stderr}`);
  }
  return ms;
}
