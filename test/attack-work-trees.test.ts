import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gate, tracer, type Victim, victim } from "./attacks/agent.ts";
import { inFull, sampled } from "./setup/sample.ts";

const GATE = ".seam/extensions/my-gate.ts";
const NO = "the gate says no";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });

/** A repository with extensions that the user trusted, and a folder beside it for other ones. */
async function trusted(files: Readonly<Record<string, string>> = { [GATE]: gate() }) {
  const at = await victim(files);
  git(at.project, "init", "-q");
  git(at.project, "add", "-A");
  git(at.project, "commit", "-qm", "one");
  await at.seam("trust", "--yes");
  return { at, beside: (name: string) => join(dirname(at.project), name) };
}

async function inWorkTree(files?: Readonly<Record<string, string>>) {
  const { at, beside } = await trusted(files);
  const tree = beside("tree");
  git(at.project, "worktree", "add", "-q", tree);
  return { at, tree, beside, other: at.at(tree) };
}

async function told(other: Victim, session = "look"): Promise<string> {
  const start = { source: "startup", session_id: session };
  return (await other.hook("SessionStart", start)).stdout;
}

describe("a linked work tree of a project that was trusted", () => {
  it("has its gates, without a word", async () => {
    const { at, other } = await inWorkTree();
    expect(await other.wantsToRun("forbidden")).toBe(NO);
    expect(await other.wantsToRun("ls")).toBe("allowed");
    expect(await told(other)).not.toContain("trust");
    expect((await other.seam("trust")).stdout).toContain(`trusted in ${at.project}`);
    expect((await other.seam("status")).stdout).toContain("my-gate");
  }, 120_000);

  const CHANGES: readonly [string, (tree: string) => void, string][] = [
    [
      "changed",
      (tree) => writeFileSync(join(tree, GATE), "export default () => {};"),
      "is not what",
    ],
    ["broken", (tree) => writeFileSync(join(tree, GATE), "export default ((("), "is not what"],
    ["deleted", (tree) => rmSync(join(tree, ".seam"), { recursive: true }), "is missing"],
  ];
  it.each(sampled(CHANGES, "deleted"))(
    "keeps a critical gate that was %s there, and says so",
    async (_, change, what) => {
      const { tree, other } = await inWorkTree();
      change(tree);
      expect(await other.wantsToRun("forbidden")).toBe(NO);
      for (const said of [
        await told(other),
        (await other.seam("status")).stdout,
        (await other.seam("doctor")).stdout,
      ]) {
        expect(said).toContain(what);
      }
      // The user decides, for this work tree alone.
      expect((await other.seam("trust")).stdout).toContain("you trusted");
      await other.seam("trust", "--yes");
      expect(await other.wantsToRun("forbidden")).not.toBe(NO);
      expect((await other.seam("trust")).stdout).not.toContain("you trusted");
    },
    120_000,
  );

  it("keeps a critical gate in a project that an agent makes further in", async () => {
    const { tree, other, at } = await inWorkTree();
    for (const name of ["seam/.seam", "git/.git"]) mkdirSync(join(tree, name), { recursive: true });
    git(join(tree, "git"), "init", "-q");
    expect(await at.at(join(tree, "seam")).wantsToRun("forbidden")).toBe(NO);
    rmSync(join(tree, ".seam"), { recursive: true });
    expect(await at.at(join(tree, "git")).wantsToRun("forbidden")).toBe(NO);
    expect(await other.wantsToRun("forbidden")).toBe(NO);
  }, 120_000);

  it("does not run an ordinary extension that is another one there, and says that", async () => {
    const { tree, other } = await inWorkTree({
      ".seam/extensions/plain.ts": "export default () => {};",
    });
    const trace = join(tree, "TRACE");
    writeFileSync(join(tree, ".seam/extensions/plain.ts"), tracer(trace));
    expect(await other.wantsToRun("ls")).toBe("allowed");
    expect(() => execFileSync("ls", [trace], { stdio: "ignore" })).toThrow();
    expect(await told(other)).toMatch(/without effect in .*: 1 extension\./);
  }, 120_000);

  it("has the settings that were trusted, as long as they are the same", async () => {
    const files = {
      ".seam/settings.json": '{ "extensions": ["./gates/gate.ts"] }',
      "gates/gate.ts": gate(),
    };
    const { tree, other } = await inWorkTree(files);
    expect(await other.wantsToRun("forbidden")).toBe(NO);
    const trace = join(tree, "TRACE");
    writeFileSync(join(tree, "x.ts"), tracer(trace));
    writeFileSync(
      join(tree, ".seam/settings.json"),
      '{ "extensions": ["./x.ts"], "disabled": ["gate"] }',
    );
    expect(await other.wantsToRun("forbidden")).toBe(NO);
    expect(() => execFileSync("ls", [trace], { stdio: "ignore" })).toThrow();
    expect(await told(other)).toMatch(/without effect in .*: some settings\./);
  }, 120_000);

  inFull(
    "lets go of a gate where the user took the trust back, and only there",
    async () => {
      const { at, other } = await inWorkTree();
      await other.seam("trust", "--revoke", "my-gate");
      expect(await other.wantsToRun("forbidden")).not.toBe(NO);
      expect(await at.wantsToRun("forbidden")).toBe(NO);
      await other.seam("trust", "--yes");
      expect(await other.wantsToRun("forbidden")).toBe(NO);
      // What was trusted in a linked one holds in the main one as well, until the user says no to it there.
      await at.seam("trust", "--revoke");
      expect(await at.wantsToRun("forbidden")).not.toBe(NO);
      expect(await other.wantsToRun("forbidden")).toBe(NO);
    },
    120_000,
  );
});

describe("a folder that only says that it is a work tree of the user's repository", () => {
  const FOLDERS: readonly [string, (evil: string, project: string, tree: string) => void][] = [
    [
      "with a .git that leads to the repository",
      (evil, project) => writeFileSync(join(evil, ".git"), `gitdir: ${project}/.git\n`),
    ],
    [
      "with a .git that leads to the place of a real work tree",
      (evil, project) =>
        writeFileSync(join(evil, ".git"), `gitdir: ${project}/.git/worktrees/tree\n`),
    ],
    [
      "with a place of its own that leads to the repository",
      (evil, project) => {
        const place = join(evil, "git/worktrees/x");
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, "HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(place, "commondir"), `${project}/.git\n`);
        writeFileSync(join(place, "gitdir"), `${evil}/.git\n`);
        writeFileSync(join(evil, ".git"), `gitdir: ${place}\n`);
      },
    ],
    [
      "with a link to the repository",
      (evil, project) => execFileSync("ln", ["-s", `${project}/.git`, join(evil, ".git")]),
    ],
    [
      "with a folder that leads to the repository",
      (evil, project) => {
        mkdirSync(join(evil, ".git"));
        writeFileSync(join(evil, ".git/HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(evil, ".git/commondir"), `${project}/.git\n`);
      },
    ],
  ];
  it("has nothing of what was trusted, and says so, however it says it", async () => {
    const { at, tree, beside } = await inWorkTree({ ".seam/extensions/plain.ts": gate() });
    for (const [name, make] of FOLDERS) {
      const evil = beside(name.replaceAll(" ", "-"));
      cpSync(join(tree, ".seam"), join(evil, ".seam"), { recursive: true });
      make(evil, at.project, tree);
      const other = at.at(evil);
      expect(await other.wantsToRun("forbidden"), name).toBe("allowed");
      expect(await told(other, name), name).toMatch(/without effect in .*: 1 extension\./);
    }
  }, 120_000);

  it("is another clone, which says that its gates do not run", async () => {
    const { at, beside } = await trusted();
    git(at.project, "clone", "-q", at.project, beside("clone"));
    const other = at.at(beside("clone"));
    expect(await other.wantsToRun("forbidden")).toBe("allowed");
    expect(await told(other)).toMatch(/without effect in .*: 1 extension\./);
    // Once for each session.
    expect((await other.hook("UserPromptSubmit", { prompt: "x", session_id: "look" })).stdout).toBe(
      "",
    );
  }, 120_000);
});
