import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { init, withFiles } from "../../git/test-kit/index.ts";
import { agree } from "../../settings/index.ts";
import { anyProjectPrograms, projectPrograms } from "./project-programs.ts";
import { untrustedPrograms } from "./trust.ts";

const HOOKS = '{ "hooks": { "SessionStart": [] } }';

describe("what agents would run of a project by themselves", () => {
  it("is found in the commit, for the agents that come to work", async () => {
    const root = withFiles({
      ".claude/settings.json": HOOKS,
      ".mcp.json": '{ "mcpServers": {} }',
      ".pi/extensions/one.ts": "export default () => {};",
      ".codex/config.toml": '[mcp_servers.x]\ncommand = "x"\n',
    });
    const names = async (...agents: Parameters<typeof projectPrograms>[1][]) =>
      (
        await projectPrograms(
          root,
          agents.flatMap((one) => [...one]),
        )
      ).map(({ source }) => source.path.slice(root.length + 1));
    expect(await names(["claude-code"])).toEqual([".claude/settings.json", ".mcp.json"]);
    expect(await names(["pi", "codex"])).toEqual([".codex/config.toml", ".pi/extensions/one.ts"]);
    expect(await names(["seam", "copilot-cli"])).toEqual([]);
    expect(await anyProjectPrograms(root)).toHaveLength(4);
  });

  it("is nothing where settings start nothing, or nothing is committed", async () => {
    const root = withFiles({
      ".claude/settings.json": '{ "permissions": {} }',
      ".claude/agents/a.md": "x",
      ".codex/agents/b.toml": 'name = "b"\n',
    });
    writeFileSync(join(root, ".mcp.json"), "{}");
    expect(await anyProjectPrograms(root)).toEqual([]);
    expect(await anyProjectPrograms(init())).toEqual([]);
    expect(await anyProjectPrograms("/")).toEqual([]);
  });

  it("waits for the user, and does so again after it changed", async () => {
    const root = withFiles({ ".claude/settings.json": HOOKS });
    const path = join(root, ".claude/settings.json");
    const waiting = async () => untrustedPrograms(root, await anyProjectPrograms(root));
    expect(await waiting()).toEqual([
      { path, asks: ["let Claude Code run what it names, when it works for a crew"] },
    ]);
    agree(root, [{ kind: "crew", path, content: new Map([[path, Buffer.from(HOOKS)]]) }]);
    expect(await waiting()).toEqual([]);
    agree(root, [{ kind: "crew", path, content: new Map([[path, Buffer.from("{}")]]) }]);
    expect(await waiting()).toHaveLength(1);
  });
});
