import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Level } from "../../../src/agents/index.ts";
import type { Agent, AgentName } from "../drive/agent.ts";
import { newestOf } from "../drive/agents/index.ts";
import { versionOf, whyNotRun } from "../drive/installed.ts";
import { list, parse, record, text } from "../model-server/json.ts";
import { Stage } from "./test-kit/stage.ts";
import { until } from "./test-kit/until.ts";

/** As users know it, and where Seam is switched on for it. */
const DAY: Partial<Record<AgentName, { type: string; level: Level; secret?: string }>> = {
  "claude-code": { type: "Claude Code", level: "user" },
  codex: { type: "Codex", level: "user" },
  // Gemini CLI itself does not write a .env.
  gemini: { type: "Gemini CLI", level: "project", secret: "server.key" },
  opencode: { type: "OpenCode", level: "user" },
  "copilot-cli": { type: "Copilot CLI", level: "project" },
  "factoryai-droid": { type: "Factory AI Droid", level: "user" },
  pi: { type: "Pi", level: "user" },
};

/** Each release of an agent has a name of its own, after which its file is called. */
const AGENTS_OF_DAY = (Object.keys(DAY) as AgentName[]).flatMap((agent) =>
  newestOf(agent)
    .filter((release) => whyNotRun(release) === undefined)
    .map((release) => ({
      name: `${agent}-${versionOf(release)}`,
      release,
      type: "",
      level: "user" as Level,
      secret: ".env",
      ...DAY[agent],
    })),
);

const WORK_MS = 600_000;

describe("a day's work with every agent, as seam tells it from git", () => {
  const stage = new Stage();
  /** By agent: what `seam show` says of its turn, and of its commit. */
  const turns = new Map<string, string>();
  const commits = new Map<string, string>();

  beforeAll(async () => {
    stage.use("protected-paths");
    for (const { release, level } of AGENTS_OF_DAY) {
      await stage.prepare(release.name);
      stage.seam("enable", "--agent", release.name, "--level", level, "--yes");
    }
    for (const { name, release, secret } of AGENTS_OF_DAY) await workOf(name, release, secret);
    for (const { name } of AGENTS_OF_DAY) {
      const all = list(parse(stage.seam("log", "--turns", "--json", "-n", "50"))).map(record);
      const turn = all.find(({ prompt }) => text(prompt).includes(`notes of ${name}`));
      turns.set(name, stage.seam("show", text(record(turn).id)));
      const commit = stage.git("log", "--format=%H", "-1", `--grep=^Notes of ${name}$`);
      commits.set(name, stage.seam("show", commit));
    }
  }, WORK_MS);
  afterAll(() => stage.remove(), WORK_MS);

  async function workOf(name: string, release: Agent, secret: string): Promise<void> {
    const run = await stage.launch({
      agent: release.name,
      release,
      prompt: `write the notes of ${name}`,
      script: [
        { text: "I look around first.", toolCalls: [{ do: "read", path: "README.md" }] },
        { toolCalls: [{ do: "shell", command: "ls no-such-folder" }] },
        { toolCalls: [{ do: "write", path: secret, content: "KEY=1\n" }] },
        {
          text: "Then I write.",
          toolCalls: [{ do: "write", path: `${name}.md`, content: "# Notes\n" }],
        },
        { toolCalls: [{ do: "shell", command: `git add ${name}.md` }] },
        { toolCalls: [{ do: "shell", command: `git commit -m 'Notes of ${name}'` }] },
        { text: "The notes are there." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    await until(() => {
      const [last] = list(parse(stage.seam("log", "--turns", "--json", "-n", "1"))).map(record);
      return text(last?.prompt).includes(name) && last?.end !== undefined;
    });
  }

  describe.each(AGENTS_OF_DAY)("$name", ({ name, type, secret }) => {
    it.each([
      ["its turn", turns],
      ["its commit", commits],
    ])("%s reads as what happened, each thing once", (_, shown) => {
      const story = shown.get(name) ?? "";
      const part = /What happened\n([\s\S]*?)\n\n/.exec(story)?.[1] ?? "";
      const lines = part.split("\n").map((line) => line.trim());
      const at = (words: string) => lines.findIndex((line) => line.includes(words));
      const order = [
        at("I look around first."),
        at("README.md"),
        at("ls no-such-folder"),
        at("failed: "),
        at("✗"),
        at("stopped by protected-paths: "),
        at("Then I write."),
        at(`${name}.md`),
        at("git commit -m"),
        at("The notes are there."),
      ];
      expect(order, part).toEqual([...order].sort((a, b) => a - b));
      expect(order, part).not.toContain(-1);
      expect(new Set(lines).size, part).toBe(lines.length);
      // What was stopped did not fail, and what is here is named from here.
      expect(lines.filter((line) => line.startsWith("failed")).join(), part).not.toContain(secret);
      expect(lines[at("✗")]).toBe(`✗ write ${secret}`);
      expect(part).not.toContain(stage.cwd);
      expect(part).not.toMatch(/[{}]|\\n/);
      expect(story).toContain(type);
      expect(story).toMatch(/\d in.*, \d+ out, \d+ model calls/);
    });
  });

  it("the log has for each turn its session, branch, stops and tokens", () => {
    const log = stage.seam("log", "--turns", "-n", "50");
    for (const { name, type } of AGENTS_OF_DAY) {
      const about = new RegExp(
        `turn \\w{12}  ${type}  1 file\\n {4}"?write the notes of ${name}"?\\n` +
          ` {4}session \\S+ · on main · 6 tool calls · 1 stopped · .* in.*, \\d+ out`,
      );
      expect(log).toMatch(about);
    }
  });
});
