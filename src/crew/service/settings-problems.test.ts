import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { crewSettingsProblems, settingsWarnings } from "./settings-problems.ts";

/** The settings of crews are these. Returns what a message has instead of the path of the file. */
function settle(crew: object): (text: string) => string {
  const home = mkdtempSync(join(tmpdir(), "seam-"));
  vi.stubEnv("SEAM_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = join(home, "settings.json");
  writeFileSync(path, JSON.stringify({ crew }));
  return (text) => text.replace(path, "settings.json");
}

it("an agent that does not exist is named with the nearest one that does", () => {
  const plain = settle({ atOnceFor: { "claude-code": 2, claudecode: 1, everybody: 1 } });
  const said = crewSettingsProblems().map(({ message, next }) => plain(`${message} ${next}`));
  expect(said).toEqual([
    '"crew.atOnceFor.claudecode" in settings.json is not a setting. Did you mean "claude-code"?',
    expect.stringMatching(/everybody.*There are .*claude-code, codex/),
  ]);
  settle({});
  expect(crewSettingsProblems()).toEqual([]);
});

it("who starts a run is told of that, and of a pool without a limit where one of nearly its name has one", () => {
  settle({ atOnceFor: { codx: 1 }, atOnceIn: { linux: 2 } });
  const codex = expect.stringContaining('Did you mean "codex"?');
  expect(settingsWarnings(undefined)).toEqual([codex]);
  expect(settingsWarnings("linux")).toEqual([codex]);
  expect(settingsWarnings("windows")).toEqual([codex]);
  expect(settingsWarnings("linx")).toEqual([
    codex,
    '"crew.atOnceIn" has no limit for the pool "linx". Did you mean "linux"?',
  ]);
});
