import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { agentNamed, enable } from "../agents/index.ts";
import { judgeCall } from "./judge-call.ts";
import { ProtectedPlaces } from "./protected-places.ts";

/** A home, a project with a repository, and Seam's hooks in the settings of Claude Code. */
export function setUp() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-protection-")));
  const home = join(base, "home");
  const project = join(base, "project");
  const store = join(home, ".seam");
  for (const folder of [store, project, join(project, ".seam"), join(project, "src")]) {
    mkdirSync(folder, { recursive: true });
  }
  mkdirSync(join(project, ".git"));
  const before = { HOME: process.env.HOME, SEAM_HOME: process.env.SEAM_HOME };
  process.env.HOME = home;
  process.env.SEAM_HOME = store;
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(base, { recursive: true, force: true });
  });
  const place = { project, home, env: {} };
  const claude = agentNamed("claude-code");
  if (claude && claude.name !== "seam") {
    enable([{ agent: { ...claude, name: claude.name }, level: "project" }], { place, store });
  }
  const places = new ProtectedPlaces({ store, home, env: {} });
  const judge = (name: string, input: Record<string, unknown>, cwd = project) =>
    judgeCall(() => places, { name, input }, cwd);
  return { home, project, store, places, judge };
}
