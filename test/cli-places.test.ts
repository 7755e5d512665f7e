import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { inFull, sampled } from "./setup/sample.ts";

const AS_ANYBODY = ["-c", "user.name=a", "-c", "user.email=a@b"];
const HOOK = ".git/hooks/prepare-commit-msg";

/** Every agent with hooks. */
const ALL = ["claude", "codex", "copilot", "cursor", "droid", "gemini", "opencode", "pi"];

interface Repository extends Place {
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  has(name: string): boolean;
  read(name: string): string;
}

/** A repository with one commit. */
function repository(files: Readonly<Record<string, string>> = {}): Repository {
  const here = place({ "README.md": "# A project\n", ...files });
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync("git", [...AS_ANYBODY, ...args], {
      cwd: join(here.project, folder),
      encoding: "utf8",
      env: { ...process.env, HOME: here.home, GIT_CONFIG_NOSYSTEM: "1" },
    });
  const git = (...args: string[]) => gitIn(".", ...args);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Start");
  return {
    ...here,
    git,
    gitIn,
    has: (name) => existsSync(join(here.project, name)),
    read: (name) => readFileSync(join(here.project, name), "utf8"),
  };
}

/** A repository with a second work tree, `../tree`. */
function twoWorkTrees() {
  const here = repository();
  here.git("worktree", "add", "-q", "../tree");
  return { here, inTree: here.seamIn("../tree") };
}

interface Status {
  record: { enabled: boolean; repository: boolean; leftOut: boolean; awaited: boolean };
  otherWorkTrees?: { path: string; recorded: boolean; agents: string[] }[];
}
const statusOf = async (seam: Place["seam"]) => (await seam("status", "--json")).json<Status>();

describe("work trees", () => {
  it("disable in one leaves the others recorded, disable in the last takes the git hooks out", async () => {
    const { here, inTree } = twoWorkTrees();
    await here.seam("enable", "--agent", "claude");
    await inTree("enable", "--agent", "codex");
    const { stdout } = await inTree("disable", "--yes");
    expect(stdout).toContain(`Still recorded: ${here.project}`);
    expect(here.has("../tree/.codex")).toBe(false);
    expect(here.has(".claude/settings.local.json")).toBe(true);
    expect(here.has(HOOK)).toBe(true);
    expect((await statusOf(here.seam)).record.enabled).toBe(true);
    expect((await statusOf(inTree)).record).toMatchObject({ enabled: false, repository: true });
    await here.seam("disable", "--yes");
    expect(here.has(HOOK)).toBe(false);
    expect((await statusOf(here.seam)).record).toMatchObject({ enabled: false, repository: false });
  });

  inFull(
    "disable where enable was typed ends it all, though another work tree is there",
    async () => {
      const { here, inTree } = twoWorkTrees();
      await here.seam("enable", "--agent", "claude");
      await here.seam("disable", "--yes");
      expect(here.has(HOOK)).toBe(false);
      expect((await statusOf(inTree)).record).toMatchObject({ enabled: false, leftOut: false });
    },
  );

  inFull(
    "disable in one where nothing was enabled leaves it out, and enable takes it in again",
    async () => {
      const { here, inTree } = twoWorkTrees();
      await here.seam("enable", "--agent", "claude");
      expect((await statusOf(inTree)).record.enabled).toBe(true);
      await inTree("disable", "--yes");
      expect((await statusOf(inTree)).record.enabled).toBe(false);
      expect((await statusOf(here.seam)).record.enabled).toBe(true);
      await inTree("enable", "--agent", "pi");
      expect((await statusOf(inTree)).record.enabled).toBe(true);
    },
  );

  inFull("one that was enabled and is removed does not keep the record alive", async () => {
    const { here, inTree } = twoWorkTrees();
    await here.seam("enable", "--agent", "claude");
    await inTree("enable", "--agent", "pi");
    here.git("worktree", "remove", "--force", "../tree");
    await here.seam("disable", "--yes");
    expect(here.has(HOOK)).toBe(false);
  });

  inFull("of a bare repository are enabled and disabled each by itself", async () => {
    const here = repository();
    here.git("clone", "-q", "--bare", ".", "../bare");
    for (const name of ["one", "two"]) here.gitIn("../bare", "worktree", "add", "-q", `../${name}`);
    const [one, two] = [here.seamIn("../one"), here.seamIn("../two")];
    await one("enable", "--agent", "claude");
    await two("enable", "--agent", "claude");
    await one("disable", "--yes");
    expect((await statusOf(two)).record.enabled).toBe(true);
    expect(here.has("../bare/hooks/prepare-commit-msg")).toBe(true);
    await two("disable", "--yes");
    expect(here.has("../bare/hooks/prepare-commit-msg")).toBe(false);
  });

  inFull(
    "a repository that an earlier version enabled is disabled whole, or one by one",
    async () => {
      const { here, inTree } = twoWorkTrees();
      const old = () => {
        mkdirSync(join(here.project, ".git/seam"), { recursive: true });
        writeFileSync(join(here.project, ".git/seam/enabled"), "2026-01-01T00:00:00.000Z\n");
      };
      old();
      await inTree("disable", "--yes");
      expect((await statusOf(here.seam)).record.enabled).toBe(true);
      await here.seam("disable", "--yes");
      expect((await statusOf(here.seam)).record.repository).toBe(false);
      here.git("worktree", "remove", "--force", "../tree");
      old();
      await here.seam("disable", "--yes");
      expect((await statusOf(here.seam)).record.repository).toBe(false);
    },
  );

  inFull("status names the agents of the user for all of them", async () => {
    const { here, inTree } = twoWorkTrees();
    await here.seam("enable", "--agent", "seam");
    await here.seam("enable", "--agent", "claude", "--level", "user");
    expect((await inTree("status")).stdout).toMatch(/other work trees: .* \(.*Claude Code.*\)/);
  });

  inFull("status and doctor say what is so in one where no agent calls Seam", async () => {
    const { here, inTree } = twoWorkTrees();
    await here.seam("enable", "--agent", "claude");
    const { stdout } = await inTree("status");
    expect(stdout).toContain("none calls Seam in this work tree: seam enable");
    expect(stdout).toContain(`other work trees: ${here.project} (Claude Code)`);
    expect((await statusOf(inTree)).otherWorkTrees).toEqual([
      { path: here.project, recorded: true, agents: ["claude-code"] },
    ]);
    const doctor = await inTree("doctor");
    expect(doctor.stdout).toContain(
      "No agent calls Seam in this work tree, so nothing is recorded",
    );
    await inTree("disable", "--yes");
    expect((await inTree("status")).stdout).toContain("off in this work tree");
    expect((await inTree("doctor")).stdout).toContain("This work tree is not recorded");
    expect((await here.seam("doctor")).stdout).not.toContain("work tree");
  });
});

describe("disable --all", () => {
  it("calls every repository by its name, also the one it is run in", async () => {
    const here = repository();
    await here.seam("enable", "--agent", "seam");
    const { stdout } = await here.seam("disable", "--all", "--yes");
    expect(stdout).toBe(`✓ git hooks of ${here.project}; what was recorded stays\n`);
  });

  inFull("ends the record of every repository, also where no agent has hooks", async () => {
    const [here, other] = [repository(), repository()];
    await here.seam("enable", "--agent", "seam");
    // The same user in another repository.
    await here.seamIn(relative(here.project, other.project))("enable", "--agent", "seam");
    expect([here.has(HOOK), other.has(HOOK)]).toEqual([true, true]);
    const { code, stdout } = await here.seamIn("..")("disable", "--all", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain(`git hooks of ${other.project}`);
    expect([here.has(HOOK), other.has(HOOK)]).toEqual([false, false]);
    expect((await here.seam("disable", "--all", "--yes")).stdout).toContain("not enabled anywhere");
  });

  inFull("says which was moved or deleted, and goes on with the others", async () => {
    const { here, inTree } = twoWorkTrees();
    const moved = repository();
    const inMoved = (to: string) =>
      here.seamIn(relative(here.project, join(moved.project, "..", to)));
    await inMoved("project")("enable", "--agent", "claude");
    await inTree("enable", "--agent", "codex");
    renameSync(moved.project, join(moved.project, "../renamed"));
    const { code, stdout } = await here.seam("disable", "--all", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain(`${moved.project} is not there any more`);
    expect(here.has("../tree/.codex")).toBe(false);
    expect(here.has(HOOK)).toBe(false);
    // Where it is now, it can still be taken out.
    await inMoved("renamed")("disable", "--yes");
    expect(existsSync(join(moved.project, "../renamed", HOOK))).toBe(false);
    const rest = ["../renamed/.claude/settings.local.json", "../renamed/.git/info/exclude"];
    for (const name of rest) expect(moved.read(name)).not.toContain("agentseam");
  });
});

describe("the user level", () => {
  it("puts no git hooks into the repository it was typed in", async () => {
    const here = repository();
    await here.seam("enable", "--level", "user", "--agent", "claude");
    expect(here.has(HOOK)).toBe(false);
    expect(here.has(".git/seam")).toBe(false);
    expect((await statusOf(here.seam)).record).toMatchObject({ enabled: false, awaited: false });
  });

  it("--record awaits every repository, and disable --level user ends just that", async () => {
    const here = repository();
    const { stdout } = await here.seam("enable", "--level", "user", "--record", "--agent", "seam");
    expect(stdout).toContain("in every repository from the first prompt on");
    expect(here.has(HOOK)).toBe(false);
    expect((await statusOf(here.seam)).record.awaited).toBe(true);
    await here.seam("disable", "--level", "user", "--yes");
    expect((await statusOf(here.seam)).record.awaited).toBe(false);
  });

  inFull("leaves what was enabled in a project when it is disabled", async () => {
    const here = repository();
    await here.seam("enable", "--level", "user", "--record", "--agent", "pi");
    await here.seam("enable", "--agent", "claude");
    await here.seam("disable", "--level", "user", "--yes");
    expect(here.has(HOOK)).toBe(true);
    expect(here.has(".claude/settings.local.json")).toBe(true);
    expect((await statusOf(here.seam)).record.enabled).toBe(true);
  });

  inFull(
    "a repository in which the user said disable, or that a setting names, is not awaited",
    async () => {
      const here = repository();
      await here.seam("enable", "--level", "user", "--record", "--agent", "seam");
      const { stdout } = await here.seam("disable", "--yes");
      expect(stdout).toContain("this work tree is not recorded any more");
      expect((await statusOf(here.seam)).record).toMatchObject({ awaited: false, leftOut: true });
      await here.seam("enable", "--agent", "seam");
      await here.seam("disable", "--yes");
      rmSync(join(here.project, ".git/seam"), { recursive: true });
      expect((await statusOf(here.seam)).record.awaited).toBe(true);
      const settings = join(here.home, "settings.json");
      writeFileSync(settings, JSON.stringify({ unrecorded: [here.project] }));
      expect((await statusOf(here.seam)).record.awaited).toBe(false);
      writeFileSync(settings, "{ not settings");
      expect((await statusOf(here.seam)).record.awaited).toBe(false);
    },
  );
});

describe("what enable writes in a project", () => {
  const EXCLUDE = ".git/info/exclude";

  it("is taken up by no git add, whatever agents there are, and all is as before after disable", async () => {
    const here = repository();
    const before = here.read(EXCLUDE);
    await here.seam("enable", "--agent", ...ALL);
    expect(here.has(".gemini/settings.json")).toBe(true);
    here.git("add", "-A");
    expect(here.git("status", "--porcelain")).toBe("");
    await here.seam("disable", "--yes");
    expect(here.read(EXCLUDE)).toBe(before);
    expect(here.git("status", "--porcelain", "--ignored")).toBe("");
  });

  const BEFORE: readonly [string, string | undefined][] = [
    ["absent, with its folder", undefined],
    ["empty", ""],
    ["without a newline at its end", "*.log\n/build"],
    ["with Windows line ends and other bytes", "*.log\r\n\xff\xfe\r\n"],
  ];
  const KINDS = ["absent, with its folder", "with Windows line ends and other bytes"];
  it.each(sampled(BEFORE, ...KINDS))("leaves info/exclude %s to the byte", async (_, text) => {
    const here = repository();
    rmSync(join(here.project, ".git/info"), { recursive: true });
    if (text !== undefined) here.write({ [EXCLUDE]: text });
    await here.seam("enable", "--agent", "gemini");
    await here.seam("enable", "--agent", "codex");
    expect(here.git("status", "--porcelain")).toBe("");
    await here.seam("disable", "--agent", "gemini");
    expect(here.read(EXCLUDE)).toContain("/.codex/hooks.json\n");
    expect(here.read(EXCLUDE)).not.toContain(".gemini");
    await here.seam("disable", "--yes");
    if (text === undefined) expect(here.has(".git/info")).toBe(false);
    else expect(here.read(EXCLUDE)).toBe(text);
  });

  inFull("keeps lines that were added to info/exclude since", async () => {
    const here = repository();
    here.write({ [EXCLUDE]: "/build" });
    await here.seam("enable", "--agent", "gemini");
    here.write({ [EXCLUDE]: `${here.read(EXCLUDE)}*.tmp\n` });
    await here.seam("disable", "--yes");
    expect(here.read(EXCLUDE)).toBe("/build\n*.tmp\n");
  });

  inFull("in two work trees is kept out until both are disabled", async () => {
    const { here, inTree } = twoWorkTrees();
    const before = here.read(EXCLUDE);
    await here.seam("enable", "--agent", "gemini");
    await inTree("enable", "--agent", "gemini", "pi");
    expect(here.gitIn("../tree", "status", "--porcelain")).toBe("");
    await here.seam("disable", "--yes");
    expect(here.gitIn("../tree", "status", "--porcelain")).toBe("");
    await inTree("disable", "--yes");
    expect(here.read(EXCLUDE)).toBe(before);
  });

  it("writes through no link that leads out of the repository, and says so", async () => {
    const here = repository();
    const elsewhere = join(here.home, "mine");
    writeFileSync(elsewhere, "mine\n");
    rmSync(join(here.project, EXCLUDE));
    symlinkSync(elsewhere, join(here.project, EXCLUDE));
    const { stdout } = await here.seam("enable", "--agent", "gemini");
    expect(stdout).toContain("git add would still take up .gemini/settings.json");
    expect(stdout).toContain(`it is a link to ${elsewhere}`);
    expect(readFileSync(elsewhere, "utf8")).toBe("mine\n");
    expect((await here.seam("disable", "--yes")).code).toBe(0);
  });

  inFull("leaves a read-only info/exclude alone, and says so", async () => {
    const here = repository();
    chmodSync(join(here.project, EXCLUDE), 0o444);
    const before = here.read(EXCLUDE);
    const { stdout } = await here.seam("enable", "--agent", "gemini");
    expect(stdout).toContain("it is read-only");
    expect(here.read(EXCLUDE)).toBe(before);
    const doctor = await here.seam("doctor", "--json");
    expect(doctor.stdout).toContain("file-exposed");
    chmodSync(join(here.project, EXCLUDE), 0o644);
    await here.seam("doctor", "--fix");
    expect(here.git("status", "--porcelain")).toBe("");
  });

  inFull("with --shared is meant to be committed, by everybody who works there", async () => {
    const here = repository();
    await here.seam("enable", "--agent", "gemini", "claude");
    await here.seam("enable", "--agent", "gemini", "claude", "--shared");
    expect(here.git("status", "--porcelain").split("\n").sort()).toEqual([
      "",
      "?? .claude/",
      "?? .gemini/",
    ]);
    // It stays so until it is disabled.
    await here.seam("enable", "--agent", "gemini");
    expect(here.git("status", "--porcelain")).toContain(".gemini/");
  });

  it("does not go into a file that git tracks: the user says for whom it is", async () => {
    const here = repository({ ".gemini/settings.json": "{}\n" });
    const { code, stdout } = await here.seam("enable", "--agent", "gemini", "codex");
    expect(code).toBe(1);
    expect(stdout).toContain("git tracks .gemini/settings.json");
    expect(stdout).toContain("seam enable --agent gemini --shared");
    expect(here.read(".gemini/settings.json")).toBe("{}\n");
    expect(here.has(".codex/hooks.json")).toBe(true);
    expect((await here.seam("enable", "--agent", "gemini", "--shared")).code).toBe(0);
    expect(here.read(".gemini/settings.json")).toContain("agentseam");
  });

  inFull(
    "that was committed before is named, with the way to untrack it, and never untracked unasked",
    async () => {
      const here = repository();
      await here.seam("enable", "--agent", "gemini");
      here.git("add", "-f", ".gemini/settings.json");
      here.git("commit", "-q", "-m", "Too much", "--no-verify");
      const again = await here.seam("enable", "--agent", "gemini");
      expect(again.stdout).toContain("git rm --cached .gemini/settings.json");
      expect(here.git("ls-files", ".gemini")).toContain("settings.json");
      expect((await here.seam("doctor")).stdout).toContain("git rm --cached .gemini/settings.json");
      here.git("rm", "-q", "--cached", ".gemini/settings.json");
      here.git("commit", "-q", "-m", "Out", "--no-verify");
      expect(here.git("status", "--porcelain")).toBe("");
      expect((await here.seam("doctor")).stdout).not.toContain("git rm");
    },
  );
});
