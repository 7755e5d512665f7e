import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Pane } from "../../peers/screens/tmux.ts";
import { claudeCode } from "../drive/agents/claude-code.ts";
import { labelOf, programOf, whyNotRun } from "../drive/installed.ts";
import { scene } from "../drive/launch.ts";
import { groupEnds } from "../drive/process-group.ts";
import { list, parse, record, text } from "../model-server/json.ts";
import { Checkpoint } from "./test-kit/checkpoint.ts";
import { Stage } from "./test-kit/stage.ts";

/** For as long as it takes on a busy machine. */
const POLL = { timeout: 60_000, interval: 200 } as const;

/** Claude Code gives the hooks of its end no longer than this. */
const END_MS = 5_000;

const whyNoPane = spawnSync("tmux", ["-V"]).status === 0 ? undefined : "there is no tmux here";

/** Claude Code as a person has it: on a terminal, with its first questions answered. */
async function onTerminal(stage: Stage, script: Parameters<typeof scene>[0]["script"]) {
  const { root, home, cwd, seamHome } = stage;
  const { env, play } = await scene({ agent: "claude-code", root, home, cwd, prompt: "", script });
  const answered = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [env.ANTHROPIC_API_KEY], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(answered));
  const own = { ...env, TERM: "xterm-256color", SEAM_HOME: seamHome, GIT_CONFIG_NOSYSTEM: "1" };
  const variables = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  const program = [...(programOf(claudeCode) ?? []), "--allowedTools", "Bash"];
  const command = ["env", "-i", ...variables, ...program];
  const pane = new Pane({ command, cwd, env: {}, columns: 120, rows: 40 });
  onTestFinished(async () => {
    const { pid } = pane;
    pane.close();
    // At its end it rings a hook, which would start another daemon after the stage has asked this one to go.
    await groupEnds(pid, END_MS);
  });
  return { pane, play };
}

describe(`the record of ${labelOf(claudeCode)} on a terminal`, () => {
  const why = whyNotRun(claudeCode) ?? whyNoPane;

  test.skipIf(why)("has what a command made in a turn that its user stopped with Esc", async () => {
    const stage = new Stage();
    onTestFinished(() => stage.remove());
    await stage.prepare("claude-code");
    stage.seam("enable", "--agent", "claude-code", "--level", "user", "--record", "--yes");
    const command = "echo 'made by a command' > made.txt; sleep 600";
    const { pane } = await onTerminal(stage, [
      { toolCalls: [{ do: "shell", command }] },
      { text: "Never said." },
    ]);
    await pane.shows(/\? for shortcuts/);
    pane.type("please go");
    await pane.shows(/please go/);
    pane.press("Enter");
    await expect.poll(() => existsSync(join(stage.cwd, "made.txt")), POLL).toBe(true);
    await pane.shows(/esc to interrupt/i);
    pane.press("Escape");
    await pane.shows(/Interrupted/);

    const turn = () =>
      list(parse(stage.seam("log", "--json")))
        .map(record)
        .find(({ type }) => type === "turn");
    await expect.poll(turn, POLL).toMatchObject({ cut_off: "user" });
    stage.git("add", "made.txt");
    stage.git("commit", "-m", "What it made");
    const recorded = () =>
      text(record(list(record(parse(stage.ask("show", "--json").stdout)).checkpoints)[0]).id);
    await expect.poll(recorded, POLL).not.toBe("");
    const checkpoint = new Checkpoint(stage, recorded());
    expect(checkpoint.session).toMatchObject({ files_touched: ["made.txt"] });
    expect(checkpoint.read("0/prompt.txt")).toContain("please go");
    expect(turn()).toMatchObject({ cut_off: "user", files: ["made.txt"] });
    const shown = stage.seam("show", text(turn()?.id));
    expect(shown).toContain("stopped by its user");
    expect(shown).toContain("• bash echo 'made by a command'");
  });
});
