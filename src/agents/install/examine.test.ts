import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent, AgentFolders } from "../agent.ts";
import { claudeCode } from "../claude-code/index.ts";
import { codex } from "../codex/index.ts";
import { copilotCli } from "../copilot-cli/index.ts";
import { cursor } from "../cursor/index.ts";
import { factoryaiDroid } from "../factoryai-droid/index.ts";
import { gemini } from "../gemini/index.ts";
import { pi } from "../pi/index.ts";
import { enable, planFor } from "./enable.ts";
import type { Finding, Level } from "./installer.ts";
import { type Ground, ground, put } from "./test-kit/place.ts";

const examine = async (agent: Agent, level: Level, place: AgentFolders): Promise<Finding[]> => [
  ...((await agent.hooks?.installer?.examine(
    planFor({ agent, level }, { place, store: place.home }),
  )) ?? []),
];
const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);

/** Enabled, with what else is in the file. */
function enabled(agent: Agent, level: Level, text = "{}"): Ground & { file: string } {
  const here = ground();
  const file = agent.hooks?.installer?.files({ level, place: here.place })[0] ?? "";
  put(file, text);
  enable([{ agent, level }], here);
  return { ...here, file };
}
const withHandler = (handler: unknown) =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [handler] }] } });

describe("files an agent skips", () => {
  // Each was tried on the program: with it, no hook of the file ran.
  it.each([
    ["a comment", "{ // mine\n}", "line 1, column 3"],
    ["a comma at the end", '{ "model": "x", }', "line"],
    [
      "a handler of an unknown type",
      withHandler({ type: "webhook" }),
      'hooks.Stop.0.hooks.0.type is "webhook"',
    ],
    [
      "a handler without a type",
      withHandler({ command: "x" }),
      "hooks.Stop.0.hooks.0.type is missing",
    ],
    [
      "a handler without its command",
      withHandler({ type: "command" }),
      "hooks.Stop.0.hooks.0.command",
    ],
    [
      "a timeout that is text",
      withHandler({ type: "command", command: "x", timeout: "5" }),
      "hooks.Stop.0.hooks.0.timeout",
    ],
    [
      "a timeout of 0",
      withHandler({ type: "command", command: "x", timeout: 0 }),
      "hooks.Stop.0.hooks.0.timeout",
    ],
    [
      "an address that is none",
      withHandler({ type: "http", url: "nope" }),
      "hooks.Stop.0.hooks.0.url",
    ],
    [
      "a matcher that is a number",
      '{ "hooks": { "Stop": [{ "matcher": 5, "hooks": [] }] } }',
      "hooks.Stop.0.matcher",
    ],
    [
      "a group without handlers",
      '{ "hooks": { "Stop": [{ "type": "command", "command": "x" }] } }',
      "hooks.Stop.0.hooks",
    ],
    ["a group that is null", '{ "hooks": { "Stop": [null] } }', "hooks.Stop.0 is not an object"],
  ])("Claude Code: %s is found and named [claude-one-bad-entry]", async (_, text, place) => {
    const { place: where, file } = enabled(claudeCode, "user", text);
    const findings = await examine(claudeCode, "user", where);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ level: "error" });
    expect(findings[0]?.text).toContain(file);
    expect(findings[0]?.text).toContain(place);
  });

  it.each([
    ["an event it does not know", '{ "hooks": { "Later": { "a": 1 } } }'],
    ["a field it does not know", withHandler({ type: "command", command: "x", foo: 1 })],
    ["an empty command", withHandler({ type: "command", command: "" })],
    ["a group without any handler", '{ "hooks": { "TaskCreated": [{ "hooks": [] }] } }'],
    ["an event that is no list", '{ "hooks": { "TaskCreated": {} } }'],
    ["a byte order mark", "\uFEFF{}"],
    [
      "hooks of every kind",
      '{ "hooks": { "TaskCreated": [{ "hooks": [{ "type": "prompt", "prompt": "x" }, { "type": "http", "url": "http://127.0.0.1:1/" }] }] } }',
    ],
  ])("Claude Code: %s is no reason to skip a file", async (_, text) => {
    const { place } = enabled(claudeCode, "user", text);
    expect(await examine(claudeCode, "user", place)).toEqual([]);
  });

  it("Claude Code: a file that is broken after it was enabled is found", async () => {
    const { place, file } = enabled(claudeCode, "user");
    put(file, '{\n  "hooks": {,');
    const [finding] = await examine(claudeCode, "user", place);
    expect(finding).toMatchObject({ level: "error", code: "config-invalid" });
    expect(finding?.text).toContain("line 2, column 13");
  });

  it.each([
    ["a comment", "{ // mine\n}", "config-unread"],
    ["a comma at the end", '{ "description": "x", }', "config-unread"],
    ["a byte order mark", "\uFEFF{}", "config-unread"],
    ["another key", '{ "version": 1 }', "config-entry"],
    ["an unknown type", withHandler({ type: "http", url: "http://x" }), "config-entry"],
    ["an event that is no list", '{ "hooks": { "PermissionRequest": {} } }', "config-entry"],
    ["a handler without its command", withHandler({ type: "command" }), "config-entry"],
  ])("Codex: %s is found [codex-strict-file]", async (_, text, code) => {
    const { place } = enabled(codex, "user", text);
    expect(codes(await examine(codex, "user", place))).toContain(code);
  });

  it.each([
    ["a description", '{ "description": "mine" }'],
    ["a group without handlers", '{ "hooks": { "Stop": [{ "matcher": "x" }] } }'],
    ["a prompt hook", withHandler({ type: "prompt", prompt: "x" })],
  ])("Codex: %s is no reason to skip a file", async (_, text) => {
    const { place } = enabled(codex, "user", text);
    expect(codes(await examine(codex, "user", place))).toEqual(["hooks-untrusted"]);
  });

  it("Factory Droid: one bad entry is found, comments are not held against it [droid-one-bad-entry]", async () => {
    const bad = enabled(factoryaiDroid, "user", withHandler({ type: "foo" }));
    expect(codes(await examine(factoryaiDroid, "user", bad.place))).toEqual(["config-entry"]);
    const good = enabled(factoryaiDroid, "user", "{ // mine\n}");
    expect(await examine(factoryaiDroid, "user", good.place)).toEqual([]);
  });

  it("Gemini CLI: a comma at the end is found, comments are not held against it", async () => {
    const bad = enabled(gemini, "user", '{ "a": 1, }');
    expect(codes(await examine(gemini, "user", bad.place))).toEqual(["config-unread"]);
    const good = enabled(gemini, "user", "{ // mine\n}");
    expect(await examine(gemini, "user", good.place)).toEqual([]);
  });

  it("Copilot CLI: an event that is no list is found", async () => {
    const { place } = enabled(copilotCli, "user", '{ "hooks": { "preCompact": 5 } }');
    const [finding] = await examine(copilotCli, "user", place);
    expect(finding?.text).toContain("hooks.preCompact is not a list");
  });
});

describe("hooks that are switched off", () => {
  it.each([
    [
      "Claude Code in its user settings",
      claudeCode,
      ".claude/settings.json",
      { disableAllHooks: true },
    ],
    ["Gemini CLI as a whole", gemini, ".gemini/settings.json", { hooksConfig: { enabled: false } }],
    [
      "Gemini CLI by name",
      gemini,
      ".gemini/settings.json",
      { hooksConfig: { disabled: ["agentseam"] } },
    ],
    ["Copilot CLI", copilotCli, ".copilot/settings.json", { disableAllHooks: true }],
    ["Factory Droid", factoryaiDroid, ".factory/settings.json", { hooks: { hooksDisabled: true } }],
  ] as const)("%s", async (_, agent, file, settings) => {
    const here = ground();
    put(join(here.place.home, file), JSON.stringify(settings));
    enable([{ agent, level: "user" }], here);
    const findings = await examine(agent, "user", here.place);
    expect(codes(findings)).toEqual(["hooks-off"]);
    expect(findings[0]).toMatchObject({ level: "error" });
    expect(findings[0]?.text).toContain(join(here.place.home, file));
  });

  it.each([
    ["Claude Code", claudeCode, ".claude/settings.json", { disableAllHooks: true }],
    ["Gemini CLI", gemini, ".gemini/settings.json", { hooksConfig: { enabled: false } }],
    ["Copilot CLI", copilotCli, ".github/copilot/settings.json", { disableAllHooks: true }],
    ["Copilot CLI", copilotCli, ".github/copilot/settings.local.json", { disableAllHooks: true }],
    ["Copilot CLI", copilotCli, ".claude/settings.json", { disableAllHooks: true }],
    ["Copilot CLI", copilotCli, ".claude/settings.local.json", { disableAllHooks: true }],
    ["Factory Droid", factoryaiDroid, ".factory/settings.json", { hooks: { hooksDisabled: true } }],
    ["Factory Droid", factoryaiDroid, ".factory/hooks.json", { hooksDisabled: true }],
  ] as const)(
    "%s by a file of a project, for the user's own hooks too: %#",
    async (_, agent, file, settings) => {
      const here = ground();
      enable([{ agent, level: "user" }], here);
      put(join(here.place.project, file), JSON.stringify(settings));
      const findings = await examine(agent, "user", here.place);
      expect(findings.map(({ code, stops }) => [code, stops?.all])).toEqual([["hooks-off", true]]);
      expect(findings[0]?.text).toContain(join(here.place.project, file));
    },
  );

  it.each(["hooks", "codex_hooks"])(
    "Codex by features.%s of a project that it trusts",
    async (key) => {
      const here = ground();
      const { home, project } = here.place;
      enable([{ agent: codex, level: "user" }], here);
      put(join(project, ".codex/config.toml"), `[features]\n${key} = false\n`);
      const off = async () =>
        (await examine(codex, "user", here.place)).filter(({ code }) => code === "hooks-off");
      expect(await off()).toEqual([]);
      put(join(home, ".codex/config.toml"), `[projects."${project}"]\ntrust_level = "trusted"\n`);
      const [finding] = await off();
      expect(finding?.text).toContain(join(project, ".codex/config.toml"));
      expect(finding?.stops).toMatchObject({ all: true });
    },
  );
});

describe("trust", () => {
  it("Claude Code: a project that was never opened in its terminal", async () => {
    const { place } = enabled(claudeCode, "project");
    expect(codes(await examine(claudeCode, "project", place))).toEqual([
      "folder-untrusted",
      "start-folder",
    ]);
    const projects = { [place.project]: { hasTrustDialogAccepted: true } };
    put(join(place.home, ".claude.json"), JSON.stringify({ projects }));
    expect(codes(await examine(claudeCode, "project", place))).toEqual(["start-folder"]);
  });

  it("Claude Code, Gemini CLI and Pi read a project's hooks only in its own folder [claude-start-folder] [gemini-start-folder] [pi-start-folder]", async () => {
    for (const agent of [claudeCode, gemini, pi]) {
      const { place } = enabled(agent, "project", agent === pi ? "// agentseam: old" : "{}");
      const note = (await examine(agent, "project", place)).find(
        ({ code }) => code === "start-folder",
      );
      expect(note).toMatchObject({ level: "info" });
      expect(note?.text).toContain(place.project);
    }
  });

  describe("Pi loads a project's extensions only where the user trusts it [pi-untrusted-project]", () => {
    /** A program of this version on the PATH, as npm installs it. */
    function piOf(version: string) {
      const here = enabled(pi, "project", "// agentseam: old");
      const bin = join(here.base, "bin");
      const program = join(here.base, "package", "cli.js");
      put(program, "#!/bin/sh\n");
      chmodSync(program, 0o755);
      const manifest = { version, bin: { pi: "cli.js" } };
      put(join(here.base, "package", "package.json"), JSON.stringify(manifest));
      mkdirSync(bin);
      symlinkSync(program, join(bin, "pi"));
      const place = { ...here.place, env: { ...here.place.env, PATH: bin } };
      const says = (file: string, value: object) =>
        put(join(place.home, ".pi/agent", file), JSON.stringify(value));
      const found = async (level: Level = "project") =>
        codes(await examine(pi, level, place)).filter((code) => code !== "start-folder");
      return { place, says, found };
    }

    it("from 0.79 on; before, and at user level, it needs no trust", async () => {
      expect(await piOf("0.78.4").found()).toEqual([]);
      for (const version of ["0.79.0", "0.87.1", "1.5.0"]) {
        const { found, place } = piOf(version);
        expect(await found()).toEqual(["folder-untrusted"]);
        expect(await found("user")).toEqual([]);
        const [finding] = await examine(pi, "project", place);
        expect(finding?.stops).toMatchObject({ all: true });
        expect(finding?.next).toContain("seam enable --agent pi --level user");
      }
    });

    it("as its trust file says: the nearest folder counts", async () => {
      const { place, says, found } = piOf("1.5.0");
      const project = realpathSync(place.project);
      says("trust.json", { [project]: true });
      expect(await found()).toEqual([]);
      says("trust.json", { [join(project, "..")]: true });
      expect(await found()).toEqual([]);
      says("trust.json", { [join(project, "..")]: true, [project]: false });
      expect(await found()).toEqual(["folder-untrusted"]);
    });

    it("as its settings say where nothing was decided", async () => {
      const { says, found } = piOf("0.87.1");
      says("settings.json", { defaultProjectTrust: "always" });
      expect(await found()).toEqual([]);
      says("settings.json", { defaultProjectTrust: "ask" });
      expect(await found()).toEqual(["folder-untrusted"]);
    });
  });

  it("Copilot CLI: a folder that is not trusted, or one above that is [copilot-untrusted-folder]", async () => {
    const { place, base } = enabled(copilotCli, "project");
    const [finding] = await examine(copilotCli, "project", place);
    expect(finding).toMatchObject({ level: "warning", code: "folder-untrusted" });
    expect(finding?.next).toContain("--trust-folder");
    const config = `// managed\n${JSON.stringify({ trustedFolders: [base] })}`;
    put(join(place.home, ".copilot/config.json"), config);
    expect(await examine(copilotCli, "project", place)).toEqual([]);
  });

  it.each([
    ["itself", (p: string) => ({ [p]: "TRUST_FOLDER" }), []],
    ["by its parent", (p: string) => ({ [join(p, "../other")]: "TRUST_PARENT" }), []],
    ["not", (p: string) => ({ [p]: "DO_NOT_TRUST" }), ["folder-untrusted"]],
    [
      "not, only one below",
      (p: string) => ({ [join(p, "src")]: "TRUST_FOLDER" }),
      ["folder-untrusted"],
    ],
  ])("Gemini CLI: a folder that is trusted %s", async (_, rules, expected) => {
    const { place } = enabled(gemini, "project");
    put(join(place.home, ".gemini/trustedFolders.json"), JSON.stringify(rules(place.project)));
    const found = codes(await examine(gemini, "project", place));
    expect(found.filter((code) => code !== "start-folder")).toEqual(expected);
  });

  it("Cursor and Copilot CLI at user level need none", async () => {
    for (const agent of [cursor, copilotCli]) {
      const { place } = enabled(agent, "user");
      expect(await examine(agent, "user", place)).toEqual([]);
    }
  });

  it("a project behind a link counts as trusted under either name", async () => {
    const { place, base } = enabled(copilotCli, "project");
    symlinkSync(place.project, join(base, "link"));
    const linked = { ...place, project: join(base, "link") };
    put(
      join(place.home, ".copilot/config.json"),
      JSON.stringify({ trustedFolders: [realpathSync(place.project)] }),
    );
    expect(await examine(copilotCli, "project", linked)).toEqual([]);
    mkdirSync(join(base, "other"));
    expect(
      codes(await examine(copilotCli, "project", { ...place, project: join(base, "other") })),
    ).toHaveLength(1);
  });
});
