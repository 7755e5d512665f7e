import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { killDaemon } from "./record/machine.ts";

/** Runs a hook as Claude Code does: the command that `seam enable` wrote into its settings. */
function hook(here: Place, command: string, payload: object) {
  const input = JSON.stringify({ session_id: "s1", cwd: here.project, ...payload });
  const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
  const { stdout } = spawnSync("/bin/sh", ["-c", command], { input, env, cwd: here.project });
  return stdout.toString();
}

it("an agent that takes Seam out is asked about it; what gets past is told, and put back", async () => {
  const here = place();
  await here.seam("enable", "--agent", "claude-code");
  onTestFinished(() => killDaemon(here.home));
  const file = join(here.project, ".claude/settings.local.json");
  const written = readFileSync(file, "utf8");
  const command: string = JSON.parse(written).hooks.PreToolUse[0].hooks[0].command;
  const call = (tool_name: string, tool_input: object, id = "c1") =>
    hook(here, command, {
      hook_event_name: "PreToolUse",
      tool_name,
      tool_use_id: id,
      tool_input,
    });

  const attacks: [string, object][] = [
    ["Write", { file_path: file, content: "{}" }],
    ["Write", { file_path: ".seam/settings.local.json", content: "{}" }],
    ["Bash", { command: `echo 'exit 0' > ${here.home}/bin/hook` }],
    ["Bash", { command: "seam disable --yes" }],
    ["Bash", { command: "seam daemon stop" }],
  ];
  for (const [tool, input] of attacks) {
    expect(call(tool, input), JSON.stringify(input)).toMatch(/"permissionDecision":"(ask|deny)"/);
  }
  expect(call("Bash", { command: "ls .seam" })).not.toContain("permissionDecision");

  // A program that no command names did it.
  writeFileSync(file, "{}");
  // The look after an earlier hook may have seen it already: then this one brings the message.
  let shown = call("Bash", { command: "ls" }, "c2");
  let status = "";
  for (let i = 0; i < 20 && !status.includes("are gone from"); i++) {
    status = (await here.seam("status")).stdout;
  }
  expect(status).toContain("hooks for Claude Code are gone from");
  shown += call("Bash", { command: "ls" }, "c3");
  expect(shown).toContain("are gone from");
  expect((await here.seam("doctor")).stdout).toContain("are gone from");

  await here.seam("doctor", "--fix");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(written));
  expect((await here.seam("status", "--json")).json()).not.toHaveProperty("alarms");
}, 120_000);
