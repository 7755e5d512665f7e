import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Level } from "../../../src/agents/index.ts";
import { sampled } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { programOf, whyNotRun } from "../drive/installed.ts";
import { list, parse, record, text } from "../model-server/json.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Checkpoint } from "./test-kit/checkpoint.ts";
import { Stage } from "./test-kit/stage.ts";
import { until } from "./test-kit/until.ts";

interface Recorded {
  /** As users know it. */
  readonly type: string;
  readonly level: Level;
  /** Where it keeps its sessions, below its home. */
  readonly sessions: string;
  readonly command: (session: string) => readonly string[];
  /** It switches git's hooks off in its shell: its commits get no trailer, and are found without. */
  readonly noTrailer?: true;
  /** What of the usage it writes down. */
  readonly tokens: Readonly<Record<"input_tokens" | "output_tokens" | "api_call_count", number>>;
}

const FOUR_CALLS = { input_tokens: 400, output_tokens: 40, api_call_count: 4 };

/** Claude Code and Pi have a file of their own: more is known of their skills. */
const RECORDED: Partial<Record<AgentName, Recorded>> = {
  opencode: {
    type: "OpenCode",
    level: "user",
    sessions: ".local/share/opencode",
    command: (session) => ["opencode", "--session", session],
    tokens: FOUR_CALLS,
  },
  codex: {
    type: "Codex",
    level: "user",
    sessions: ".codex/sessions",
    command: (session) => ["codex", "resume", session],
    tokens: FOUR_CALLS,
  },
  gemini: {
    type: "Gemini CLI",
    level: "project",
    sessions: ".gemini/tmp",
    command: (session) => ["gemini", "--resume", session],
    noTrailer: true,
    tokens: FOUR_CALLS,
  },
  "copilot-cli": {
    type: "Copilot CLI",
    level: "project",
    sessions: ".copilot/session-state",
    command: (session) => ["copilot", `--resume=${session}`],
    tokens: FOUR_CALLS,
  },
  "factoryai-droid": {
    type: "Factory AI Droid",
    level: "user",
    sessions: ".factory/sessions",
    command: (session) => ["droid", "--resume", session],
    // Its sums count the call for a title too.
    tokens: { input_tokens: 500, output_tokens: 50, api_call_count: 4 },
  },
};

const SKILLED = sampled(Object.keys(RECORDED) as AgentName[], "copilot-cli", "factoryai-droid");

/** At the user's level nothing is recorded unless the user says so. */
const at = (level: Level) => ["--level", level, ...(level === "user" ? ["--record"] : [])];

/** The checkpoint of HEAD, as soon as there is one. */
async function idBehind(stage: Stage): Promise<string> {
  expect(stage.git("log", "-1", "--format=%B")).not.toContain("Seam-Checkpoint");
  let id = "";
  await until(() => {
    const { checkpoints } = record(parse(stage.ask("show", "--json").stdout));
    id = text(record(list(checkpoints)[0]).id);
    return id !== "";
  });
  return id;
}

/** Without the protocol that editors talk to it in. */
const DROID_EXEC = fileURLToPath(new URL("../drive/droid-exec.mjs", import.meta.url));

describe.skipIf(whyNotRun(AGENTS["factoryai-droid"]))("the record of droid exec", () => {
  const prepared = async () => {
    const stage = new Stage();
    onTestFinished(() => stage.remove());
    await stage.prepare("factoryai-droid");
    stage.seam("enable", "--agent", "factoryai-droid", ...at("user"));
    return stage;
  };
  const exec = { agent: "factoryai-droid", prompt: "please go", through: DROID_EXEC } as const;
  const turns = (stage: Stage) =>
    list(parse(stage.seam("log", "--json")))
      .map(record)
      .filter(({ type }) => type === "turn");

  it("has the turn, the prompt and the tokens, although no hook tells of the prompt", async () => {
    const stage = await prepared();
    const run = await stage.launch({
      ...exec,
      script: [
        { toolCalls: [{ do: "shell", command: "echo made > made.txt; echo fine > ok.txt" }] },
        { toolCalls: [{ do: "shell", command: "git add ok.txt" }] },
        { toolCalls: [{ do: "shell", command: "git commit -m 'Work of an agent'" }] },
        { text: "Done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const checkpoint = new Checkpoint(stage);
    expect(await checkpoint.finalized()).toBe(true);
    expect(checkpoint.session).toMatchObject({
      agent: "Factory AI Droid",
      session_id: run.sessionId,
      files_touched: ["ok.txt"],
      token_usage: FOUR_CALLS,
    });
    expect(checkpoint.read("0/prompt.txt")).toBe("please go");
    // The command made both: the files were looked at before it ran.
    expect(turns(stage)).toMatchObject([
      { session_id: run.sessionId, prompt: "please go", files: ["made.txt", "ok.txt"] },
    ]);
  });

  it("has a turn also where the agent only talked", async () => {
    const stage = await prepared();
    const run = await stage.launch({ ...exec, script: [{ text: "Nothing to do." }] });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    await until(() => turns(stage).length > 0);
    expect(turns(stage)).toMatchObject([{ prompt: "please go", files: [] }]);
  });
});

/** OpenCode is asked itself to take a session back. */
function onThePath(stage: Stage, agent: AgentName): void {
  const [program = ""] = programOf(AGENTS[agent]) ?? [];
  const bin = join(stage.root, "bin");
  mkdirSync(bin);
  symlinkSync(program, join(bin, agent));
  const { PATH } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
}

describe.each(Object.entries(RECORDED) as [AgentName, Recorded][])(
  "the record of %s",
  (agent, its) => {
    const reason = whyNotRun(AGENTS[agent]);
    it.skipIf(reason)("has the session behind a commit, and gives it back", async () => {
      // Some name their files after the local time, and know a file only by that name.
      vi.stubEnv("TZ", "Pacific/Kiritimati");
      onTestFinished(() => void vi.unstubAllEnvs());
      const stage = new Stage();
      onTestFinished(() => stage.remove());
      await stage.prepare(agent);
      stage.seam("enable", "--agent", agent, ...at(its.level));
      const run = await stage.launch({
        agent,
        prompt: "please go",
        script: [
          { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
          // Droid wants to look at what is staged before it commits.
          { toolCalls: [{ do: "shell", command: "git add ok.txt" }] },
          { toolCalls: [{ do: "shell", command: "git commit -m 'Work of an agent'" }] },
          { text: "Done." },
        ],
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      const { sessionId = "" } = run;
      const checkpoint = its.noTrailer
        ? new Checkpoint(stage, await idBehind(stage))
        : new Checkpoint(stage);
      expect(await checkpoint.finalized()).toBe(true);
      expect(checkpoint.session).toMatchObject({
        agent: its.type,
        session_id: sessionId,
        commit_sha: stage.git("rev-parse", "HEAD"),
        files_touched: ["ok.txt"],
        token_usage: its.tokens,
      });
      expect(checkpoint.read("0/prompt.txt")).toContain("please go");
      // To its end, which was after the commit.
      expect(checkpoint.transcript.join("\n")).toMatch(/please go[\s\S]*ok\.txt[\s\S]*Done\./);
      const shown = stage.seam("show");
      const used = `${its.tokens.input_tokens} in, ${its.tokens.output_tokens} out`;
      for (const words of [its.type, "please go", "ok.txt", "Done.", used]) {
        expect(shown).toContain(words);
      }
      rmSync(join(stage.home, its.sessions), { recursive: true });
      if (agent === "opencode") onThePath(stage, agent);
      const { command, written } = record(parse(stage.seam("resume", "--json")));
      expect([command, written]).toEqual([its.command(sessionId), true]);
      const again = await stage.launch({
        agent,
        resume: sessionId,
        prompt: "what did you do?",
        script: [{ text: "I wrote a file." }],
      });
      expect(again, again.stderr).toMatchObject({ code: 0, unplayed: 0 });
      expect(modelSaw(again.requests).everything).toContain("please go");
    });

    // Not every agent has skills that its model can use.
    if (!AGENTS[agent].tools.skill || !SKILLED.includes(agent)) return;
    it.skipIf(reason)("has every use of a skill once", async () => {
      const stage = new Stage();
      onTestFinished(() => stage.remove());
      const file = join(stage.cwd, AGENTS[agent].skillFile("greet"));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "---\nname: greet\ndescription: For a test.\n---\nSay hello.\n");
      stage.git("add", "-A");
      stage.git("commit", "-m", "A skill");
      await stage.prepare(agent);
      stage.seam("enable", "--agent", agent, ...at(its.level));
      const greet = { toolCalls: [{ do: "skill", name: "greet" }] } as const;
      const run = await stage.launch({
        agent,
        prompt: "please go",
        script: [
          greet,
          { toolCalls: [{ do: "write", path: "ok.txt", content: "fine\n" }] },
          { toolCalls: [{ do: "shell", command: "git add ok.txt" }] },
          { toolCalls: [{ do: "shell", command: "git commit -m 'Work of an agent'" }] },
          greet,
          greet,
          { text: "Done." },
        ],
      });
      expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      const checkpoint = its.noTrailer
        ? new Checkpoint(stage, await idBehind(stage))
        : new Checkpoint(stage);
      expect(await checkpoint.finalized()).toBe(true);
      const { skillEvents } = checkpoint;
      expect(skillEvents.map(({ native }) => record(native).tool_use_id)).toEqual(
        skillEvents.map(({ transcript_anchor }) => record(transcript_anchor).tool_use_id),
      );
      expect(skillEvents).toHaveLength(3);
      expect(new Set(skillEvents.map(({ id }) => id)).size).toBe(3);
    });
  },
);
