import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { registry, writeFiles } from "./cli/registry.ts";
import { type Place, place } from "./cli/seam.ts";
import { inFull } from "./setup/sample.ts";

const gate = (word: string) =>
  `export default (pi) => { pi.on("agent_start", () => console.error("gate ${word}")); };\n`;
const SKILL = "---\nname: dig\ndescription: For tests.\n---\nDig.\n";
const SAYS = JSON.stringify([{ text: "hello" }]);
const MANIFEST = {
  name: "gate",
  version: "1.0.0",
  scripts: { postinstall: "touch ../../ran" },
  pi: { extensions: ["src/*.ts"], skills: ["./skills"] },
};
const files = (version: string, word: string) => ({
  "package.json": JSON.stringify({ ...MANIFEST, version }),
  "src/gate.ts": gate(word),
  "skills/dig/SKILL.md": SKILL,
});

const settings = ({ home }: Place) =>
  (JSON.parse(readFileSync(join(home, "settings.json"), "utf8")) as { packages: string[] })
    .packages;
const installed = ({ home }: Place) => readdirSync(join(home, "packages"));
const run = ({ seam }: Place, ...more: string[]) =>
  seam("run", "--no-session", "--model", "scripted:says.json", "-p", "hi", ...more);

describe("a package of npm", () => {
  inFull("is shown, added, run, updated and removed, and its scripts do not run", async () => {
    const at = place({ "says.json": SAYS });
    const { url, close } = await registry({
      gate: { "1.0.0": files("1.0.0", "one"), "1.1.0": files("1.1.0", "two") },
      needy: { "1.0.0": { "package.json": '{ "dependencies": { "gate": "9.9.9" } }' } },
      orphan: { "1.0.0": { "package.json": '{ "dependencies": { "nowhere": "1" } }' } },
    });
    onTestFinished(() => void close());
    writeFileSync(join(at.home, ".npmrc"), `registry=${url}\nfetch-retries=0\n`);

    const unasked = await at.seam("ext", "add", "gate@1.0.0");
    expect(unasked.code).toBe(2);
    expect(unasked.stdout).toContain("src/gate.ts");
    expect(unasked.stdout).toContain("postinstall were not run");
    expect(installed(at)).toEqual([]);

    // What a process left behind that was killed.
    mkdirSync(join(at.home, "packages/.new-left/node_modules"), { recursive: true });
    const added = await at.seam("ext", "add", "gate@1.0.0", "--yes", "--json");
    expect(added.json()).toMatchObject({ outcome: "added", source: "npm:gate@1.0.0" });
    expect(settings(at)).toEqual(["npm:gate@1.0.0"]);
    expect(installed(at)).toEqual(["gate@1.0.0"]);
    expect(existsSync(join(at.home, "packages/gate@1.0.0/ran"))).toBe(false);
    expect((await run(at)).stderr).toContain("gate one");

    const updated = await at.seam("ext", "update", "--yes");
    expect(updated.stdout).toMatch(/changed: src\/gate\.ts/);
    expect(updated.stdout).toContain("gate two");
    expect(settings(at)).toEqual(["npm:gate@1.1.0"]);
    expect(installed(at)).toEqual(["gate@1.1.0"]);
    const { stderr } = await run(at);
    expect(stderr).toContain("gate two");
    expect(stderr).not.toContain("gate one");

    const list = await at.seam("ext", "list", "--json");
    expect(list.json()).toMatchObject({
      packages: [{ name: "gate", version: "1.1.0", source: "npm:gate@1.1.0", scope: "user" }],
    });
    expect((await at.seam("ext", "remove", "gat")).stderr).toContain('Did you mean "gate"?');
    expect((await at.seam("ext", "remove", "gate")).stdout).toContain("Removed gate.");
    expect(installed(at)).toEqual([]);
    expect((await run(at)).stderr).not.toContain("gate");

    const gone = await at.seam("ext", "add", "nobody", "--yes");
    expect({ code: gone.code, left: installed(at) }).toEqual({ code: 1, left: [] });
    expect(gone.stderr).toContain("there is no such package.");
    const older = await at.seam("ext", "add", "gate@0.9", "--yes");
    expect(older.stderr).toContain("there is no such version.");
    for (const [name, missing] of [
      ["needy", "gate@9.9.9"],
      ["orphan", "nowhere@1"],
    ] as const) {
      const needs = await at.seam("ext", "add", name, "--yes");
      expect(needs.stderr).toContain(`it needs ${missing}, which the registry does not have.`);
    }
    close();
    const offline = await at.seam("ext", "add", "other", "--yes");
    expect({ code: offline.code, left: installed(at) }).toEqual({ code: 1, left: [] });
    expect(offline.stderr).toContain("the registry cannot be reached.");
  });
});

describe("a package of git", () => {
  inFull("is added as the commit it was, for a project with the user's agreement", async () => {
    const at = place({ "says.json": SAYS, ".seam/settings.json": "{}" });
    const repository = join(at.home, "origin");
    writeFiles(repository, { ...files("1.0.0", "git"), ".npmrc": "git=/bin/false\n" });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: repository,
        encoding: "utf8",
      }).trim();
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "one");
    const commit = git("rev-parse", "HEAD");

    const url = pathToFileURL(repository).href;
    const { code, stderr } = await at.seam("ext", "add", url, "--project", "--yes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const said = readFileSync(join(at.project, ".seam/settings.json"), "utf8");
    expect(JSON.parse(said)).toEqual({ packages: [`git:${url}#${commit}`] });
    expect((await run(at)).stderr).toContain("gate git");

    // Whoever else has the project is asked first, and whoever changes it.
    const [folder = ""] = readdirSync(join(at.project, ".seam/packages"));
    const file = join(at.project, ".seam/packages", folder, "package/src/gate.ts");
    writeFileSync(file, gate("changed"));
    const changed = await run(at);
    expect(changed.stderr).toContain("gate git");
    expect(changed.stderr).not.toContain("gate changed");
  });
});

describe("a package that is not added", () => {
  it.each([
    ["one that names files above it", { pi: { extensions: ["../../secret.ts"] } }, "not its own"],
    ["one that links to elsewhere", { pi: { skills: ["./link"] } }, "not its own"],
    ["one that brings nothing", { pi: {} }, "no extensions, skills, prompts or themes"],
  ])("%s", async (_, manifest, message) => {
    const at = place({ "bad/package.json": JSON.stringify({ name: "bad", ...manifest }) });
    writeFileSync(join(at.home, "secret.md"), "secret");
    symlinkSync(at.home, join(at.project, "bad/link"));
    const { code, stderr } = await at.seam("ext", "add", "./bad", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(join(at.home, "settings.json"))).toBe(false);
  });

  it("one whose settings file is broken, which stays as it is", async () => {
    const at = place({ "good/package.json": "{}", "good/index.ts": gate("good") });
    writeFileSync(join(at.home, "settings.json"), "{ nonsense");
    const { code, stderr } = await at.seam("ext", "add", "./good", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("settings.json");
    expect(readFileSync(join(at.home, "settings.json"), "utf8")).toBe("{ nonsense");
  });
});

it("a skill that a package names beside its folder, where there is none, is left out, and that is said", async () => {
  const manifest = { name: "slip", pi: { extensions: ["./index.ts"], skills: ["../../skills"] } };
  const at = place({ "says.json": SAYS });
  const folder = join(at.home, "slip");
  writeFiles(folder, { "index.ts": gate("slip"), "package.json": JSON.stringify(manifest) });
  const { code, stdout } = await at.seam("ext", "add", folder, "--yes");
  expect(stdout).toContain("left out    ../../skills: not in the package");
  expect(code).toBe(0);
  expect((await run(at)).stderr).toContain("gate slip");
});

it("a folder is used where it is, and comments in the settings stay", async () => {
  const at = place({ "says.json": SAYS, "mine/index.ts": gate("mine") });
  const before = '{\n  // Mine.\n  "keepDays": 30\n}\n';
  writeFileSync(join(at.home, "settings.json"), before);
  const folder = join(at.home, "mine");
  writeFiles(folder, { "index.ts": gate("mine"), "package.json": '{ "name": "mine" }' });
  await at.seam("ext", "add", folder, "--yes");
  expect(readFileSync(join(at.home, "settings.json"), "utf8")).toContain("// Mine.");
  expect((await run(at)).stderr).toContain("gate mine");
  writeFileSync(join(folder, "index.ts"), gate("changed"));
  expect((await run(at)).stderr).toContain("gate changed");
});
