import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Files, tempDir, tempHome, write } from "../extensions/test-kit/index.ts";
import { loadSettings } from "./index.ts";

const RUNS = { extensions: ["./evil.ts"], packages: ["./evil"] };

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

/** A repository in which everything that is there is committed. */
function repository(files: Files, prepare: (root: string) => void = () => {}) {
  tempHome();
  const root = tempDir();
  git(root, "init");
  write(root, files);
  prepare(root);
  git(root, "add", "--all", "--force");
  git(root, "commit", "-m", "all");
  return root;
}

function outcome(root: string) {
  const { settings, problems } = loadSettings(root);
  return {
    runs: [...settings.extensions, ...settings.packages].length,
    codes: problems.map(({ code }) => code),
    problems,
    settings,
  };
}

it("a file git tracks cannot shorten a deadline or switch off the user's extensions", () => {
  const root = repository({ ".seam/settings.json": { loadDeadlineMs: 5, disabled: ["gate"] } });
  const { settings, projectDisabled } = loadSettings(root);
  expect(settings.loadDeadlineMs).toBe(10_000);
  expect(settings.disabled).toEqual([]);
  expect(projectDisabled).toEqual(["gate"]);
});

it("a file git tracks can name a remote for the record, never a place of its own", () => {
  const tracked = (checkpointRemote: string) =>
    loadSettings(repository({ ".seam/settings.json": { checkpointRemote } })).settings;
  expect(tracked("private").checkpointRemote).toBe("private");
  for (const place of ["https://evil.example/x.git", "../x", "-x", "host:x"]) {
    expect(tracked(place).checkpointRemote).toBe("origin");
  }
});

it("a file git tracks can close the gates of a missing daemon, never open them", () => {
  const tracked = (whenUnavailable: string) =>
    loadSettings(repository({ ".seam/settings.json": { whenUnavailable } })).settings;
  expect(tracked("block").whenUnavailable).toBe("block");
  expect(tracked("allow").whenUnavailable).toBe("auto");
});

it("a file git tracks can have more redacted, never less", () => {
  const redaction = { patterns: ["acme-internal"], allow: ["/.*/"] };
  const { settings, problems } = loadSettings(repository({ ".seam/settings.json": { redaction } }));
  expect(settings.redaction).toEqual({ patterns: ["acme-internal"] });
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("redaction.allow"),
  ]);
});

describe("what makes Seam run something is ignored", () => {
  const IGNORED = { runs: 0, codes: ["SEAM_SETTINGS_TRACKED", "SEAM_SETTINGS_TRACKED"] };

  it("in a file git tracks; other keys of it count", () => {
    const root = repository({ ".seam/settings.json": { ...RUNS, loadDeadlineMs: 20_000 } });
    expect(outcome(root)).toMatchObject(IGNORED);
    expect(outcome(root).settings.loadDeadlineMs).toBe(20_000);
    const [problem] = outcome(root).problems;
    expect(problem?.message).toContain('"extensions"');
    expect(problem?.message).toContain(join(root, ".seam/settings.json"));
    expect(problem?.next).toContain("settings.local.json");
  });

  it("in a settings.local.json that someone committed", () => {
    expect(outcome(repository({ ".seam/settings.local.json": RUNS }))).toMatchObject(IGNORED);
  });

  it("in a file that is added and not yet committed", () => {
    const root = repository({ readme: "" });
    write(root, { ".seam/settings.json": RUNS });
    git(root, "add", ".seam");
    expect(outcome(root)).toMatchObject(IGNORED);
  });

  it("in a tracked file that was changed since", () => {
    const root = repository({ ".seam/settings.json": {} });
    write(root, { ".seam/settings.json": RUNS });
    expect(outcome(root)).toMatchObject(IGNORED);
  });

  it("in a tracked file that .gitignore names", () => {
    const root = repository({ ".seam/settings.local.json": RUNS, ".gitignore": ".seam" });
    expect(outcome(root)).toMatchObject(IGNORED);
  });

  it("in a tracked file that a tracked link leads to", () => {
    const root = repository({ "elsewhere.json": RUNS, ".seam/.keep": "" }, (dir) =>
      symlinkSync("../elsewhere.json", join(dir, ".seam/settings.local.json")),
    );
    expect(outcome(root)).toMatchObject(IGNORED);
  });

  it("in a tracked file in a folder that a tracked link leads to", () => {
    const root = repository({ "config/settings.local.json": RUNS }, (dir) =>
      symlinkSync("config", join(dir, ".seam")),
    );
    expect(outcome(root)).toMatchObject(IGNORED);
  });

  it("in a tracked file of a project in a folder of the repository", () => {
    const root = repository({ "packages/a/.seam/settings.json": RUNS });
    expect(outcome(join(root, "packages/a"))).toMatchObject(IGNORED);
  });

  it.each([
    ["GIT_DIR", ".git"],
    ["GIT_INDEX_FILE", ".git/next-index-1.lock"],
    ["GIT_DIR", "/nowhere"],
  ])("in a tracked file when %s is %s, as inside a git hook", (name, value) => {
    const root = repository({ ".seam/settings.json": RUNS });
    vi.stubEnv(name, value);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(outcome(root)).toMatchObject(IGNORED);
  });

  it("in a tracked file when git refuses to look at the repository", () => {
    const root = repository({ ".seam/settings.json": RUNS });
    // As with another owner's repository, or a damaged one: git fails, which is no "not tracked".
    write(root, { ".git/config": "not a config" });
    expect(outcome(root).runs).toBe(0);
  });
});

describe("what makes Seam run something is honoured", () => {
  const HONOURED = { runs: 2, codes: [] };

  it("in settings.local.json, which git does not track", () => {
    const root = repository({ readme: "" });
    write(root, { ".seam/settings.local.json": RUNS });
    expect(outcome(root)).toMatchObject(HONOURED);
  });

  it("in settings.json while git does not track it", () => {
    const root = repository({ readme: "" });
    write(root, { ".seam/settings.json": RUNS });
    expect(outcome(root)).toMatchObject(HONOURED);
  });

  it("in the user's own settings", () => {
    const root = repository({ readme: "" });
    tempHome({ "settings.json": RUNS });
    expect(outcome(root)).toMatchObject(HONOURED);
  });

  it("in a project without git", () => {
    tempHome();
    const root = tempDir();
    write(root, { ".seam/settings.local.json": RUNS });
    expect(outcome(root)).toMatchObject(HONOURED);
  });
});
