import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeCode } from "../claude-code/index.ts";
import { copilotCli } from "../copilot-cli/index.ts";
import { gemini } from "../gemini/index.ts";
import { pi } from "../pi/index.ts";
import { checkTwice, checkUp, standingOf } from "./check-up.ts";
import { disable, enable } from "./enable.ts";
import { hookCommand } from "./hook-command.ts";
import { ground, meaningOf, put } from "./test-kit/place.ts";

it("what was never enabled is not complained about", async () => {
  const here = ground();
  put(join(here.place.home, ".claude/settings.json"), "{ broken");
  expect(await checkUp(standingOf(claudeCode, "user", here), here)).toEqual([]);
});

it("hooks that another program wrote over are missed, and can be put back", async () => {
  const here = ground();
  enable([{ agent: pi, level: "user" }], here);
  expect(await checkUp(standingOf(pi, "user", here), here)).toEqual([]);
  const [file = ""] = standingOf(pi, "user", here).recorded;
  rmSync(file);
  const [finding] = await checkUp(standingOf(pi, "user", here), here);
  expect(finding).toMatchObject({ level: "error", code: "hooks-missing" });
  expect(finding?.text).toContain(file);
  expect(finding?.fix).toHaveLength(1);
  enable([{ agent: pi, level: "user" }], here);
  expect(await checkUp(standingOf(pi, "user", here), here)).toEqual([]);
});

it("a file that was broken later is found, also where nothing is remembered", async () => {
  const here = ground();
  enable([{ agent: gemini, level: "user" }], here);
  const forgotten = { ...here, store: join(here.base, "other") };
  const [file = ""] = standingOf(gemini, "user", forgotten).used;
  put(file, `${readFileSync(file, "utf8")},`);
  const standing = standingOf(gemini, "user", forgotten);
  expect(standing.health).toBe("damaged");
  const findings = await checkUp(standing, here);
  expect(findings.map(({ code }) => code)).toEqual(["config-invalid"]);
});

it("hooks of another version are found, and can be brought up to date", async () => {
  const here = ground();
  enable([{ agent: gemini, level: "user" }], here);
  const [file = ""] = standingOf(gemini, "user", here).recorded;
  put(file, readFileSync(file, "utf8").replaceAll("exit 0", "exit  0"));
  const findings = await checkUp(standingOf(gemini, "user", here), here);
  expect(findings.map(({ code }) => code)).toEqual(["hooks-outdated"]);
});

it("both levels at once are pointed out", () => {
  const here = ground();
  enable([{ agent: claudeCode, level: "user" }], here);
  expect(checkTwice(claudeCode, here)).toEqual([]);
  enable([{ agent: claudeCode, level: "project" }], here);
  expect(checkTwice(claudeCode, here)).toMatchObject([{ code: "enabled-twice" }]);
  disable([{ agent: claudeCode, level: "project" }], here);
  expect(checkTwice(claudeCode, here)).toEqual([]);
});

it("shared goes into the committed file, out of the user's own, and stays there", () => {
  const here = ground();
  const own = join(here.place.project, ".claude/settings.local.json");
  const shared = join(here.place.project, ".claude/settings.json");
  const target = { agent: claudeCode, level: "project" } as const;
  put(own, '{ "model": "x" }');
  enable([target], here);
  expect(meaningOf(own).hooks).toBeDefined();
  enable([{ ...target, shared: true }], here);
  expect(readFileSync(own, "utf8")).toBe('{ "model": "x" }');
  expect(meaningOf(shared).hooks).toBeDefined();
  // Once it is in the shared file, that is the file that is kept up to date.
  expect(enable([target], here)).toEqual([]);
  disable([target], here);
  expect(here.files()["project/.claude/settings.json"]).toBeUndefined();
});

it("a broken file beside the one that is written is no obstacle", () => {
  const here = ground();
  put(join(here.place.project, ".claude/settings.json"), "{ broken");
  const target = { agent: claudeCode, level: "project" } as const;
  enable([target], here);
  expect(standingOf(claudeCode, "project", here).health).toBe("installed");
  disable([target], here);
  expect(Object.keys(here.files())).toEqual([
    "home",
    "project",
    "project/.claude",
    "project/.claude/settings.json",
  ]);
});

it("the time a hook may take is written as each agent counts it [claude-short-end] [gemini-timeout-unit] [copilot-empty-matcher]", () => {
  const here = ground();
  for (const agent of [claudeCode, gemini, copilotCli]) enable([{ agent, level: "user" }], here);
  const entry = (file: string, hook: string) => {
    const { hooks } = meaningOf(join(here.place.home, file)) as { hooks: Record<string, object[]> };
    return hooks[hook]?.[0];
  };
  const claude = (hook: string) => entry(".claude/settings.json", hook);
  expect(claude("PreToolUse")).toMatchObject({ hooks: [{ timeout: 600 }] });
  expect(claude("PreToolUse")).not.toHaveProperty("matcher");
  expect(claude("SessionEnd")).toMatchObject({ hooks: [{ timeout: 30 }] });
  expect(entry(".gemini/settings.json", "BeforeTool")).toMatchObject({
    matcher: "*",
    hooks: [{ name: "agentseam", timeout: 600_000 }],
  });
  const copilot = entry(".copilot/hooks/agentseam.json", "preToolUse");
  expect(copilot).toMatchObject({ type: "command", timeoutSec: 600 });
  expect(copilot).not.toHaveProperty("matcher");
});

it("the command survives what Gemini CLI does to its settings [gemini-env-in-settings]", () => {
  // As its resolver does it: ${NAME:-default} and $NAME, once, from its own environment.
  const resolve = (text: string, env: Record<string, string>) =>
    text.replace(/\$(?:(\w+)|{([^}]+?)(?::-([^}]*))?})/g, (match, plain, braced, otherwise) => {
      return env[plain || braced] ?? otherwise ?? match;
    });
  const command = hookCommand("gemini", "BeforeTool");
  expect(resolve(command, { HOME: "/home/me", h: "/evil" })).toContain('seam_home="$HOME/.seam"');
  expect(resolve(command, { SEAM_HOME: "/opt/seam" })).toContain('seam_home="/opt/seam"');
  expect(resolve(command, { HOME: "/home/me" })).toContain('exec "$seam_hook" gemini BeforeTool;');
});
