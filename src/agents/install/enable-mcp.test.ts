import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENTS } from "../registry.ts";
import { checkUp, standingOf } from "./check-up.ts";
import { disable, enable } from "./enable.ts";
import type { Level } from "./installer.ts";

function setting() {
  const base = mkdtempSync(join(tmpdir(), "enable-mcp-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const place = { home: join(base, "home"), project: join(base, "app"), env: {} };
  for (const folder of [place.home, place.project]) mkdirSync(folder);
  return { place, store: join(place.home, ".seam") };
}

const WITH_MCP = AGENTS.flatMap((agent) => (agent.mcp ? [{ agent, mcp: agent.mcp }] : []));
const CASES = WITH_MCP.flatMap((one) =>
  (["project", "user"] as const).map((level: Level) => ({ ...one, level, name: one.agent.name })),
);

describe.each(CASES)("Seam's MCP server in the settings of $name, at $level level", (one) => {
  const { agent, mcp, level } = one;

  it("comes with the hooks and goes with them, to the byte", () => {
    const at = setting();
    const [file = ""] = mcp.files({ level, place: at.place });
    const isToml = file.endsWith(".toml");
    const before = isToml ? "model = 'x' # mine" : '{\n   "other": [1, 2],\n   "x": {}\n}';
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    const target = { agent, level, mcp: true };
    enable([target], at);
    expect(standingOf(agent, level, at)).toMatchObject({
      health: "installed",
      mcp: { health: "installed", isWanted: true },
    });
    expect(enable([target], at)).toEqual([]);
    disable([{ agent, level }], at);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(standingOf(agent, level, at).mcp).toMatchObject({ health: "none", isWanted: false });
  });

  it("leaves no file where there was none, and is taken out of one that was changed since", () => {
    const at = setting();
    const [file = ""] = mcp.files({ level, place: at.place });
    const target = { agent, level, mcp: true };
    enable([target], at);
    expect(readFileSync(file, "utf8")).toContain("agentseam-mcp");
    disable([target], at);
    expect(existsSync(file)).toBe(false);
    enable([target], at);
    const mine = file.endsWith(".toml") ? "\n[mine]\na = 1\n" : "";
    const text = readFileSync(file, "utf8");
    writeFileSync(file, mine ? text + mine : text.replace("{", '{ "mine": 1,'));
    disable([target], at);
    const left = readFileSync(file, "utf8");
    expect(left).toContain("mine");
    expect(left).not.toContain("agentseam");
  });

  it("is missed when another program wrote over it, unless nobody wanted it", async () => {
    const at = setting();
    const [file = ""] = mcp.files({ level, place: at.place });
    enable([{ agent, level }], at);
    const codes = async () =>
      (await checkUp(standingOf(agent, level, at), at)).map(({ code }) => code);
    expect(await codes()).not.toContain("mcp-missing");
    enable([{ agent, level, mcp: true }], at);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll("agentseam-mcp", "gone"));
    expect(await codes()).toContain("mcp-missing");
  });
});
