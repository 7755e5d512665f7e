import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { agentNameIn } from "./agent-called.ts";

let home: string;

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), "agent-called-")), ".seam");
  mkdirSync(home);
  vi.stubEnv("SEAM_HOME", home);
  return () => vi.unstubAllEnvs();
});

it("an agent is known by its name and by the command that starts it, and a misspelt one is named", () => {
  expect(["seam", "codex", "claude"].map(agentNameIn)).toEqual(["seam", "codex", "claude-code"]);
  expect(() => agentNameIn("codexx")).toThrow('There is no agent "codexx".');
});

it("where the settings name packages with agents, every name can be one of theirs", () => {
  const folder = join(home, "loom");
  mkdirSync(folder);
  const manifest = { name: "loom", version: "1.0.0", seam: { agents: ["./loom.mjs"] } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "loom.mjs"), "export default {};\n");
  writeFileSync(join(home, "settings.json"), JSON.stringify({ agents: [folder] }));
  expect(agentNameIn("loom")).toBe("loom");
});
