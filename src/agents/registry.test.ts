import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ground, put } from "./install/test-kit/place.ts";
import { installedVersion, wasTested } from "./program.ts";
import {
  AGENTS,
  agentNamed,
  agentOfType,
  allProtectedDirs,
  DEFAULT_AGENT,
  detect,
  detectAll,
} from "./registry.ts";

it("knows nine agents, sorted by name, each by its name and its type", () => {
  expect(AGENTS.map(({ name, type }) => [name, type])).toEqual([
    ["aider", "Aider"],
    ["claude-code", "Claude Code"],
    ["codex", "Codex"],
    ["copilot-cli", "Copilot CLI"],
    ["cursor", "Cursor"],
    ["factoryai-droid", "Factory AI Droid"],
    ["gemini", "Gemini CLI"],
    ["opencode", "OpenCode"],
    ["pi", "Pi"],
  ]);
  for (const agent of AGENTS) {
    expect(agentNamed(agent.name)).toBe(agent);
    expect(agentOfType(agent.type)).toBe(agent);
  }
  expect(agentNamed("nobody")).toBeUndefined();
  expect(agentOfType("Agent")).toBeUndefined();
  expect(agentNamed(DEFAULT_AGENT)?.type).toBe("Claude Code");
});

it("an agent tells of itself, and one that is only watched cannot be told anything", () => {
  for (const { hooks, watcher } of AGENTS) {
    const powers = Object.values(hooks?.mapping ?? {}).flatMap((row) => row.powers);
    expect(powers.length === 0).toBe(watcher !== undefined);
  }
});

it("the folders that are left alone are those of all agents", () => {
  expect(allProtectedDirs()).toEqual(
    expect.arrayContaining([
      ".claude",
      ".codex",
      ".cursor",
      ".factory",
      ".gemini",
      ".github/hooks",
      ".opencode",
      ".pi",
    ]),
  );
});

describe("detection", () => {
  const names = (agents: readonly { name: string }[]) => agents.map(({ name }) => name);

  it("finds agents by their files in the project and by their programs", () => {
    const here = ground();
    expect(detectAll(here.place)).toEqual([]);
    expect(detect(here.place)).toBeUndefined();
    const bin = join(here.base, "bin");
    put(join(bin, "aider"), "#!/bin/sh\n");
    chmodSync(join(bin, "aider"), 0o755);
    // Not a program: it may not be run.
    put(join(bin, "codex"), "");
    const place = { ...here.place, env: { PATH: `/nowhere:${bin}` } };
    expect(names(detectAll(place))).toEqual(["aider"]);
    put(join(place.project, ".gemini/settings.json"), "{}");
    put(join(place.project, ".cursor/rules/x.md"), "");
    expect(names(detectAll(place))).toEqual(["aider", "cursor", "gemini"]);
    expect(detect(place)?.name).toBe("cursor");
  });

  it("looks only where it is told to", () => {
    const here = ground();
    expect(names(detectAll({ ...here.place, env: {} }))).toEqual([]);
  });
});

describe("versions", () => {
  const program = {
    command: "tool",
    versionArgs: ["--version"],
    tested: ["1.2.3", "1.10.0"],
  } as const;

  it.each([
    ["1.2.2", false],
    ["1.2.3", true],
    ["1.9.9", true],
    ["1.10.0", true],
    ["1.10.1", false],
    ["2.0.0", false],
  ])("%s lies in the tested range: %s", (version, expected) => {
    expect(wasTested(program, version)).toBe(expected);
  });

  const withTool = (script: string) => {
    const here = ground();
    const file = join(here.base, "pkg/bin/tool");
    put(file, script);
    chmodSync(file, 0o755);
    return {
      here,
      place: { ...here.place, env: { PATH: `${join(here.base, "pkg/bin")}:/usr/bin:/bin` } },
    };
  };

  it("are asked of the program, whatever it says around them", async () => {
    const { place } = withTool('#!/bin/sh\necho "Tool version $1 v3.4.5 (build 7)"\n');
    expect(await installedVersion(program, place)).toBe("3.4.5");
  });

  it("are read from the package of the program, without running it", async () => {
    const { place, here } = withTool('#!/bin/sh\necho "9.9.9"; touch "$0.ran"\n');
    put(
      join(here.base, "pkg/package.json"),
      JSON.stringify({ version: "4.5.6", bin: { tool: "bin/tool" } }),
    );
    expect(await installedVersion(program, place)).toBe("4.5.6");
    expect(Object.keys(here.files()).filter((name) => name.endsWith(".ran"))).toEqual([]);
  });

  it("are unknown where there is no program, or it fails, or says nothing of the kind", async () => {
    expect(await installedVersion(program, ground().place)).toBeUndefined();
    expect(await installedVersion(program, withTool("#!/bin/sh\nexit 1\n").place)).toBeUndefined();
    expect(await installedVersion(program, withTool("not a script").place)).toBeUndefined();
  });
});
