import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, type Place, place } from "./cli/seam.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";
import { inFull } from "./setup/sample.ts";

const LOCAL = ".claude/settings.local.json";
const MINE = '{\n  // mine\n  "model": "x",\n}\n';

const read = (here: Place, name: string) => readFileSync(join(here.project, name), "utf8");
interface Finding {
  level: string;
  code: string;
  text: string;
  next?: string;
  fixable: boolean;
}
const findingsIn = (ended: Ended) =>
  ended
    .json<{ sections: { about: string; findings: Finding[] }[] }>()
    .sections.flatMap(({ findings }) => findings);
const codesIn = (ended: Ended) => findingsIn(ended).map(({ code }) => code);

describe("enable and disable", () => {
  it("put hooks into an agent's settings and take them out again, to the byte", async () => {
    const here = place({ [LOCAL]: MINE });
    const enabled = await here.seam("enable", "--agent", "claude-code", "gemini");
    expect(enabled.stdout).toContain(`Claude Code  ${LOCAL}`);
    expect(enabled.stdout).toContain("Gemini CLI  .gemini/settings.json");
    expect(read(here, LOCAL)).toContain("// mine");
    expect(read(here, LOCAL)).toMatch(/claude-code PreToolUse; .*; exit 0 # agentseam/);
    expect(existsSync(join(here.home, "bin/hook"))).toBe(true);
    const again = await here.seam("enable", "--agent", "claude-code", "gemini", "--json");
    expect(again.json()).toMatchObject({ level: "project", files: [] });
    const status = await here.seam("status", "--json");
    expect(status.json()).toMatchObject({
      project: here.project,
      agents: [
        {
          agent: "claude-code",
          level: "project",
          health: "installed",
          files: [join(here.project, LOCAL)],
        },
        { agent: "gemini", level: "project", health: "installed" },
      ],
      daemon: null,
    });
    const disabled = await here.seam("disable", "--yes");
    expect([disabled.code, disabled.stdout]).toEqual([0, expect.stringContaining(LOCAL)]);
    expect(read(here, LOCAL)).toBe(MINE);
    expect(existsSync(join(here.project, ".gemini"))).toBe(false);
    expect((await here.seam("disable", "--yes")).stdout).toContain("Seam is not enabled");
  });

  it("no agent is called enabled whose hooks will not run", async () => {
    const here = place();
    await here.seam("enable", "--agent", "codex", "copilot", "gemini", "pi", "claude");
    const { stdout } = await here.seam("status");
    expect(stdout).toMatch(/Codex +project +does not run, .*: seam doctor/);
    expect(stdout).toMatch(/Copilot CLI +project +does not run, .* trust/);
    expect(stdout).toMatch(/Gemini CLI +project +does not run, .* trust/);
    expect(stdout).toMatch(/Pi +project +does not run, Pi does not trust this project/);
    expect(stdout).toMatch(/Claude Code +project +enabled, in its terminal once you trust/);
    const { agents } = (await here.seam("status", "--json")).json<{
      agents: { agent: string; runs: boolean }[];
    }>();
    const running = agents.filter(({ runs }) => runs).map(({ agent }) => agent);
    expect(running).toEqual(["claude-code"]);
    const pi = findingsIn(await here.seam("doctor", "--json")).find(({ text }) => /^Pi/.test(text));
    expect(pi?.next).toContain("seam enable --agent pi --level user");
    await here.seam("disable", "--agent", "pi");
    await here.seam("enable", "--agent", "pi", "--level", "user");
    expect((await here.seam("status")).stdout).toMatch(/Pi +user +enabled/);
  });

  it.skipIf(whyNoTerminal)(
    "an agent that would not run a project's hooks is offered for all projects",
    async () => {
      const here = place({ ".pi/settings.json": "{}" });
      const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
      const seam = new Terminal(["enable"], { cwd: here.project, env });
      await seam.stands("◼ Pi");
      seam.press("enter");
      await seam.shows("Enable it for all your projects instead?");
      seam.press("enter");
      await seam.shows("Go on?");
      seam.press("enter");
      expect(await seam.exited).toBe(0);
      expect((await here.seam("status")).stdout).toMatch(/Pi +user +enabled/);
      expect(existsSync(join(here.project, ".pi/extensions"))).toBe(false);
    },
  );

  it("says what the user still has to do, in words", async () => {
    const { code, stdout } = await place().seam("enable", "--agent", "codex", "copilot");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Codex does not read .* trust/);
    expect(stdout).toMatch(/Copilot CLI passes over .*\n {2}Run copilot in .* --trust-folder/);
  });

  it("settings that the agent will not read are an error, though they were merged", async () => {
    const here = place({ [LOCAL]: MINE });
    const { code, stdout } = await here.seam("enable", "--agent", "claude");
    expect(code).toBe(1);
    expect(stdout).toContain("line 2, column 3: invalid comment token");
  });

  it("--dry-run shows what would be written and changes nothing", async () => {
    const here = place({ [LOCAL]: MINE, ".cursor/rules/a.md": "" });
    const { code, stdout } = await here.seam("enable", "--yes", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain(`change  ${LOCAL}`);
    expect(stdout).toContain("create  .cursor/hooks.json");
    const { files } = (await here.seam("enable", "--yes", "--dry-run", "--json")).json<{
      files: { path: string; change: string; text: string }[];
    }>();
    const claude = files.find(({ path }) => path.endsWith(LOCAL));
    expect(claude).toMatchObject({ change: "changed", text: expect.stringContaining("agentseam") });
    expect(read(here, LOCAL)).toBe(MINE);
    expect(readdirSync(here.home)).toEqual([]);
  });

  it("without a terminal nothing is done that nobody asked for, exit code 2", async () => {
    const here = place({ [LOCAL]: MINE });
    for (const command of ["enable", "disable"]) {
      if (command === "disable") await here.seam("enable", "--agent", "gemini");
      const { code, stderr } = await here.seam(command);
      expect(code).toBe(2);
      expect(stderr).toContain("--yes");
    }
    expect(read(here, LOCAL)).toBe(MINE);
    expect(existsSync(join(here.project, ".gemini/settings.json"))).toBe(true);
  });

  it.each([["--agent", "seam"], ["--yes"]])(
    "in a repository without other agents %s starts the record",
    async (...args) => {
      const here = place();
      execFileSync("git", ["init", "-q"], { cwd: here.project });
      const planned = await here.seam("enable", "--dry-run", ...args);
      expect(planned.stdout).toContain("record  what agents do in this repository");
      const { code, stderr } = await here.seam("enable", ...args);
      expect(code, stderr).toBe(0);
      expect(existsSync(join(here.project, ".git/hooks/prepare-commit-msg"))).toBe(true);
      expect((await here.seam("disable", "--yes")).stdout).toContain("git hooks");
    },
  );

  it.each([
    [["--agent", "seam"], "no repository to record here"],
    [["--agent", "claud"], "Did you mean"],
    [["--agent", "nonsense-at-all"], "It is one of: aider, claude-code"],
    [["--agent", "aider", "--level", "user"], "aider has no hooks"],
    [["--agent", "pi", "--level", "world"], "Use --level project or --level user."],
    [["--agent", "pi", "--level", "user", "--shared"], "--shared is for a project"],
  ])("%j is refused with a reason", async (args, reason) => {
    const { code, stderr } = await place().seam("enable", ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  it("a file that is broken is named with its line and left alone, exit code 1", async () => {
    const here = place({ ".gemini/settings.json": '{\n  "a": ,\n}' });
    const { code, stderr } = await here.seam("enable", "--agent", "pi", "gemini");
    expect(code).toBe(1);
    expect(stderr).toContain(".gemini/settings.json cannot be used: line 2, column 8");
    expect(read(here, ".gemini/settings.json")).toBe('{\n  "a": ,\n}');
    expect(existsSync(join(here.project, ".pi"))).toBe(false);
  });

  it("one broken file does not keep Seam in the others", async () => {
    const here = place();
    await here.seam("enable", "--agent", "pi", "gemini");
    const file = join(here.project, ".gemini/settings.json");
    writeFileSync(file, `${readFileSync(file, "utf8")},`);
    const { code, stdout } = await here.seam("disable", "--yes");
    expect(code).toBe(1);
    expect(stdout).toContain(".gemini/settings.json cannot be used");
    expect(existsSync(join(here.project, ".pi"))).toBe(false);
  });

  it("outside of a project nothing is enabled for all projects unless the user says so", async () => {
    const here = place();
    rmSync(join(here.project, ".seam"), { recursive: true });
    const { code, stderr } = await here.seam("enable", "--agent", "pi", "--level", "project");
    expect([code, stderr]).toEqual([2, expect.stringContaining("is no project")]);
    for (const args of [["--agent", "pi"], ["--yes"]]) {
      const refused = await here.seam("enable", ...args);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("If you mean that, say --level user");
    }
    expect(existsSync(join(here.home, ".pi"))).toBe(false);
    const enabled = await here.seam("enable", "--agent", "pi", "--level", "user", "--json");
    expect(enabled.json()).toMatchObject({ level: "user" });
    expect(existsSync(join(here.home, ".pi/agent/extensions/agentseam.js"))).toBe(true);
    expect((await here.seam("status")).stdout).toMatch(/Pi {2}user {2}enabled/);
    expect((await here.seam("disable", "--yes")).code).toBe(0);
    expect(existsSync(join(here.home, ".pi"))).toBe(false);
  });

  it("in a worktree the project is the worktree", async () => {
    const here = place();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: here.project,
      });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "x");
    git("worktree", "add", "-q", "tree");
    mkdirSync(join(here.project, "tree/src"), { recursive: true });
    const inTree = { ...here, seam: here.seamIn("tree/src") };
    await inTree.seam("enable", "--agent", "claude-code");
    expect(existsSync(join(here.project, "tree", LOCAL))).toBe(true);
    expect(existsSync(join(here.project, LOCAL))).toBe(false);
  });

  it("what is enabled for all projects is not enabled again for one", async () => {
    const here = place();
    await here.seam("enable", "--agent", "pi", "--level", "user");
    const { code, stdout } = await here.seam("enable", "--agent", "pi");
    expect(code).toBe(0);
    expect(stdout).toContain("Pi is enabled for all your projects already");
    expect(existsSync(join(here.project, ".pi"))).toBe(false);
  });

  it("--shared writes the settings that are committed", async () => {
    const here = place();
    await here.seam("enable", "--agent", "claude-code", "--shared");
    expect(read(here, ".claude/settings.json")).toContain("agentseam");
    expect(existsSync(join(here.project, LOCAL))).toBe(false);
    await here.seam("disable", "--yes");
    expect(existsSync(join(here.project, ".claude"))).toBe(false);
  });

  inFull("disable --all goes through all projects and both levels", async () => {
    const here = place();
    mkdirSync(join(here.project, "other/.seam"), { recursive: true });
    await here.seam("enable", "--agent", "pi");
    await here.seam("enable", "--agent", "gemini", "--level", "user");
    await here.seamIn("other")("enable", "--agent", "codex");
    expect(existsSync(join(here.project, "other/.codex/hooks.json"))).toBe(true);
    const { code, stdout } = await here.seam("disable", "--all", "--yes");
    expect(code).toBe(0);
    expect(stdout.match(/✓ /g)).toHaveLength(3);
    for (const file of [".pi", "other/.codex"])
      expect(existsSync(join(here.project, file))).toBe(false);
    expect(existsSync(join(here.home, ".gemini"))).toBe(false);
  });
});

describe("doctor", () => {
  it("has nothing to say about errors where nothing is enabled", async () => {
    const ended = await place().seam("doctor", "--json");
    expect(ended.code).toBe(0);
    expect(ended.json()).toMatchObject({ ok: true });
    expect(codesIn(ended)).toEqual(["none"]);
  });

  it("finds hooks that another program wrote over; --fix puts them back", async () => {
    const here = place({ ".factory/settings.json": "{}" });
    await here.seam("enable", "--agent", "droid");
    here.write({ ".factory/settings.json": '{ "theme": "dark" }' });
    expect((await here.seam("status")).stdout).toContain("gone: seam doctor");
    const broken = await here.seam("doctor", "--json");
    expect(broken.code).toBe(1);
    expect(findingsIn(broken)).toContainEqual(
      expect.objectContaining({ code: "hooks-missing", level: "error", fixable: true }),
    );
    const fixed = await here.seam("doctor", "--fix");
    expect(fixed.stdout).toMatch(/fixed Factory AI Droid \(project\): Seam's hooks are gone/);
    expect(fixed.code).toBe(0);
    expect(JSON.parse(read(here, ".factory/settings.json"))).toMatchObject({
      theme: "dark",
      hooks: {},
    });
    await here.seam("disable", "--yes");
    expect(read(here, ".factory/settings.json")).toBe('{ "theme": "dark" }');
  });

  it("names the entry of somebody else that makes Claude Code skip the file", async () => {
    const here = place();
    await here.seam("enable", "--agent", "claude-code");
    const settings = JSON.parse(read(here, LOCAL));
    settings.hooks.Stop.unshift({ hooks: [{ type: "shell", command: "say done" }] });
    here.write({ [LOCAL]: JSON.stringify(settings) });
    const { code, stdout } = await here.seam("doctor");
    expect(code).toBe(1);
    expect(stdout).toContain(
      `skips all of ${join(here.project, LOCAL)}: hooks.Stop.0.hooks.0.type is "shell"`,
    );
  });

  inFull("finds a hook client that is missing; --fix writes it", async () => {
    const here = place();
    await here.seam("enable", "--agent", "pi");
    rmSync(join(here.home, "bin/hook"));
    const broken = await here.seam("doctor", "--json");
    expect([broken.code, codesIn(broken)]).toEqual([1, expect.arrayContaining(["client-missing"])]);
    expect(broken.stdout).toContain("its spare, which is slower, answers");
    expect((await here.seam("doctor", "--fix")).code).toBe(0);
    expect(existsSync(join(here.home, "bin/hook"))).toBe(true);
  });

  it("finds a hook client that was changed, as status does; --fix writes it again", async () => {
    const here = place();
    await here.seam("enable", "--agent", "pi");
    const client = join(here.home, "bin/hook");
    const before = readFileSync(client);
    writeFileSync(client, "#!/bin/sh\nexit 0\n");
    const broken = await here.seam("doctor", "--json");
    expect([broken.code, codesIn(broken)]).toEqual([1, expect.arrayContaining(["client-changed"])]);
    expect((await here.seam("status")).stdout).toContain("gates may be open");
    expect((await here.seam("doctor", "--fix")).code).toBe(0);
    expect(readFileSync(client).equals(before)).toBe(true);
    expect((await here.seam("status")).stdout).not.toContain("gates may be open");
  });

  inFull(
    "names extensions that listen for what no enabled agent fires, and those not trusted",
    async () => {
      const here = place({
        ".seam/extensions/deaf.ts": 'export default (pi) => { pi.on("goal_updated", () => {}); };',
      });
      await here.seam("enable", "--agent", "gemini");
      expect(codesIn(await here.seam("doctor", "--json"))).toContain("extension-untrusted");
      await here.seam("trust", "--yes");
      const findings = findingsIn(await here.seam("doctor", "--json"));
      expect(findings).toContainEqual(
        expect.objectContaining({
          code: "extension-deaf",
          text: "deaf listens for goal_updated, which none of your agents fires (gemini).",
          next: "Fired by: seam.",
        }),
      );
    },
  );
});

it("agents lists all of them with what they can do", async () => {
  const here = place();
  await here.seam("enable", "--agent", "pi");
  const { code, stdout } = await here.seam("agents");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^pi +.* project +.*block/m);
  expect(stdout).toMatch(/^aider +.* only watched$/m);
  const rows = (await here.seam("agents", "--json")).json<{ name: string; can: string[] }[]>();
  expect(rows).toHaveLength(9);
  expect(rows.find(({ name }) => name === "codex")?.can).toContain("block");
});
