/** What runs of a package is what its user agreed to, and an update shows everything it changes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { registry, writeFiles } from "./cli/registry.ts";
import { type Place, place } from "./cli/seam.ts";
import { hasTime, inFull, sampled } from "./setup/sample.ts";

const SAYS = JSON.stringify([{ text: "hello" }]);
const manifest = (name: string, version: string, more: object = {}) =>
  JSON.stringify({ name, version, ...more });
const gate = (version: string, word: string, more: object = {}) => ({
  "package.json": manifest("gate", version, {
    pi: { extensions: ["./gate.ts"], skills: ["./skills"] },
    dependencies: { word: "^1.0.0" },
    ...more,
  }),
  "gate.ts": `import word from "word";
    export default (pi) => { pi.on("agent_start", () => console.error("gate ${word} " + word)); };\n`,
  "skills/dig/SKILL.md": "---\nname: dig\ndescription: For tests.\n---\nDig.\n",
});
const word = (version: string, text: string) => ({
  "package.json": manifest("word", version),
  "index.js": `module.exports = ${JSON.stringify(text)};\n`,
});

async function added(source: string, packages: Parameters<typeof registry>[0]) {
  const at = place({ "says.json": SAYS });
  const { url, close } = await registry(packages);
  onTestFinished(() => void close());
  writeFileSync(join(at.home, ".npmrc"), `registry=${url}\nfetch-retries=0\n`);
  expect((await at.seam("ext", "add", source, "--yes")).code).toBe(0);
  return at;
}

const run = ({ seam }: Place) =>
  seam("run", "--no-session", "--model", "scripted:says.json", "-p", "hi");
const settings = ({ home }: Place) =>
  (JSON.parse(readFileSync(join(home, "settings.json"), "utf8")) as { packages: string[] })
    .packages;

const GATE_1 = { "1.0.0": gate("1.0.0", "one") };
const installed = ({ home }: Place, path: string) =>
  join(home, "packages/gate@1.0.0/node_modules", path);

describe("a package of the user's that was changed after it was added", () => {
  const CHANGED: readonly [string, string][] = [
    ["itself", "gate/gate.ts"],
    ["in what it depends on", "word/index.js"],
    ["by a file that was put beside it", "word/more.js"],
  ];
  it.runIf(hasTime).each(sampled(CHANGED, "in what it depends on"))(
    "%s does not run, says why, and runs again once it was added again",
    async (_, file) => {
      const at = await added("gate", { gate: GATE_1, word: { "1.0.0": word("1.0.0", "a") } });
      expect((await run(at)).stderr).toContain("gate one a");
      writeFileSync(installed(at, file), 'module.exports = "evil";\n');
      const { stderr } = await run(at);
      expect(stderr).not.toContain("gate one");
      expect(stderr).toContain("The package gate is not what you added: its files have changed.");
      expect(stderr).toContain('seam ext add "npm:gate@1.0.0"');
      const skills = await at.seam("ext", "list", "--json");
      expect(skills.stdout).toContain("SEAM_PACKAGE_CHANGED");

      const again = await at.seam("ext", "add", "npm:gate@1.0.0", "--yes");
      expect(again.code).toBe(0);
      expect((await run(at)).stderr).toContain("gate one a");
    },
  );

  it("blocks tool calls if it is critical, also when its folder is gone", async () => {
    const at = await added("gate", {
      gate: {
        "1.0.0": {
          "package.json": manifest("gate", "1.0.0", { pi: { extensions: ["./gate.ts"] } }),
          "gate.ts": "export const critical = true;\nexport default () => {};\n",
        },
      },
    });
    const call = { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] };
    writeFileSync(join(at.project, "says.json"), JSON.stringify([call, { text: "done" }]));
    const events = async () =>
      (await at.seam("run", "--model", "scripted:says.json", "-p", "hi", "--mode", "json")).stdout;

    writeFileSync(installed(at, "gate/gate.ts"), "export default () => {};\n");
    expect(await events()).toContain("its files have changed");
    rmSync(installed(at, "gate"), { recursive: true });
    expect(await events()).toContain("its folder is gone");
    expect(existsSync(join(at.project, "made"))).toBe(false);
  });
});

describe("seam ext update", () => {
  inFull("stays within the range that was asked for", async () => {
    const versions = { ...GATE_1, "1.2.0": gate("1.2.0", "two"), "2.0.0": gate("2.0.0", "three") };
    const at = await added("gate@<1.2.0", {
      gate: versions,
      word: { "1.0.0": word("1.0.0", "a") },
    });
    expect(settings(at)).toEqual(["npm:gate@1.0.0#<1.2.0"]);
    expect((await at.seam("ext", "update", "--yes")).stdout).toContain("in force already");
    await at.seam("ext", "add", "gate@^1", "--yes");
    expect(settings(at)).toEqual(["npm:gate@1.2.0#^1"]);
    expect((await at.seam("ext", "update", "--yes")).stdout).toContain("in force already");
    // What the settings say can be given back as it is, in another home as well.
    await at.seam("ext", "remove", "gate");
    await at.seam("ext", "add", "npm:gate@1.2.0#^1", "--yes");
    expect(settings(at)).toEqual(["npm:gate@1.2.0#^1"]);
    expect((await run(at)).stderr).toContain("gate two a");
  });

  inFull(
    "shows what changes of what a package depends on, and nothing else need change",
    async () => {
      const words: Record<string, ReturnType<typeof word>> = { "1.0.0": word("1.0.0", "a") };
      const at = await added("gate", { gate: GATE_1, word: words });
      words["1.1.0"] = word("1.1.0", "b");
      const asked = await at.seam("ext", "update");
      expect(asked.stdout).toContain("word 1.0.0 → 1.1.0");
      expect((await run(at)).stderr).toContain("gate one a");
      await at.seam("ext", "update", "--yes");
      expect((await run(at)).stderr).toContain("gate one b");
    },
  );

  it("follows the branch of a repository that was asked for", async () => {
    const at = place({ "says.json": SAYS });
    const repository = join(at.home, "origin");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: repository,
        encoding: "utf8",
      }).trim();
    const commit = (text: string) => {
      writeFiles(repository, {
        "index.ts": `export default (pi) => { pi.on("agent_start", () => console.error("branch ${text}")); };`,
      });
      git("add", ".");
      git("commit", "-qm", text);
    };
    mkdirSync(repository);
    git("init", "-q", "-b", "main");
    commit("main");
    git("checkout", "-q", "-b", "next");
    commit("next");
    const url = pathToFileURL(repository).href;
    await at.seam("ext", "add", `${url}#next`, "--yes");
    expect(settings(at)).toEqual([`git:${url}#${git("rev-parse", "next")}#next`]);
    commit("later");
    git("checkout", "-q", "main");
    await at.seam("ext", "update", "--yes");
    expect(settings(at)).toEqual([`git:${url}#${git("rev-parse", "next")}#next`]);
    expect((await run(at)).stderr).toContain("branch later");

    // A link that leads out of a package is never followed.
    symlinkSync("/etc", join(repository, "elsewhere"));
    commit("linked");
    const refused = await at.seam("ext", "add", url, "--yes");
    expect({ code: refused.code, said: refused.stderr }).toMatchObject({
      code: 1,
      said: expect.stringContaining("package/elsewhere"),
    });
  });
});

describe("packages and other extensions beside each other", () => {
  const inFolder = (name: string, code: string) => ({
    [`${name}/package.json`]: manifest(name, "1.0.0"),
    [`${name}/index.ts`]: code,
  });
  const says = (tool: string) => [{ toolCalls: [{ name: tool, arguments: {} }] }, { text: "done" }];

  inFull(
    "two packages with one tool: the first is used, the clash is said, nothing ends",
    async () => {
      const tool = (said: string) => `export default (pi) => pi.registerTool({
      name: "greet", label: "Greet", description: "Greets.", parameters: { type: "object" },
      execute: async () => ({ content: [{ type: "text", text: "greeting ${said}" }] }),
    });`;
      const at = place({ "says.json": JSON.stringify(says("greet")) });
      writeFiles(at.home, { ...inFolder("a", tool("one")), ...inFolder("b", tool("two")) });
      for (const name of ["a", "b"]) await at.seam("ext", "add", join(at.home, name), "--yes");
      const { code, stdout, stderr } = await at.seam(
        ...["run", "--no-session", "--model", "scripted:says.json", "-p", "hi", "--mode", "json"],
      );
      expect(code).toBe(0);
      expect(stdout).toContain("greeting one");
      expect(stdout).not.toContain("greeting two");
      expect(stdout + stderr).toContain("greet");
    },
  );

  it("a project's extension with the name of a user's gate does not switch the gate off", async () => {
    const at = place({
      "says.json": JSON.stringify([
        { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] },
        { text: "done" },
      ]),
      ".seam/extensions/gate.ts":
        'export default (pi) => { pi.on("tool_call", () => console.error("the project\'s")); };',
    });
    writeFiles(at.home, {
      "extensions/gate.ts":
        'export default (pi) => { pi.on("tool_call", () => ({ block: true, reason: "the user\'s" })); };',
    });
    await at.seam("trust", "--yes");
    const { stdout, stderr } = await at.seam(
      ...["run", "--no-session", "--model", "scripted:says.json", "-p", "hi", "--mode", "json"],
    );
    expect(stderr).toContain("the project's");
    expect(stdout).toContain("the user's");
    expect(existsSync(join(at.project, "made"))).toBe(false);
  });

  inFull(
    "a package that is removed while a session runs fails where it needs its files, and nothing else",
    async () => {
      const code = `import { rmSync } from "node:fs";
      export default (pi) => {
        pi.on("agent_start", () => rmSync(import.meta.dirname, { recursive: true }));
        pi.on("turn_end", async () => { await import("./later.ts"); });
        pi.on("agent_end", () => console.error("still heard"));
      };`;
      const at = place({ "says.json": SAYS });
      writeFiles(at.home, { ...inFolder("gone", code), "gone/later.ts": "export {};" });
      await at.seam("ext", "add", join(at.home, "gone"), "--yes");
      const { code: ended, stdout, stderr } = await run(at);
      expect(ended).toBe(0);
      expect(stdout).toContain("hello");
      expect(stderr).toContain("still heard");
      expect(stderr).toContain("later.ts");
      expect((await run(at)).stderr).toContain("gone");
    },
  );
});
