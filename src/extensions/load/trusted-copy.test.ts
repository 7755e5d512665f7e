import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findExtensions, judgeProject } from "../find/find-extensions.ts";
import { trust } from "../find/trust.ts";
import { type Files, loadFrom, TOOL_CALL, tempDir, tempHome, write } from "../test-kit/index.ts";

const EXT = ".seam/extensions";

/** A project whose extensions the user trusted; then something changes, and they are loaded. */
async function afterTrust(files: Files, change: (root: string, home: string) => void = () => {}) {
  const home = tempHome();
  const root = tempDir();
  write(root, files);
  trust(root, judgeProject(root));
  change(root, home);
  const { sources } = findExtensions({ cwd: root });
  return { root, home, sources, ...(await loadFrom(root, { sources })) };
}

const says = (what: string) => `seen.push(${JSON.stringify(what)});`;

describe("a copy runs with everything that was trusted", () => {
  it("though all of it is gone from the project", async () => {
    const { seen, set } = await afterTrust(
      {
        [`${EXT}/gate/index.ts`]: `import { word } from "dep";
          import { readFileSync } from "node:fs";
          import { createRequire } from "node:module";
          const name = "computed";
          export default async () => {
            seen.push(word, readFileSync(new URL("./data.txt", import.meta.url), "utf8"));
            seen.push((await import(\`./\${name}.mjs\`)).default);
            seen.push(createRequire(import.meta.url)("./required.cjs"));
          };`,
        [`${EXT}/gate/data.txt`]: "data",
        [`${EXT}/gate/computed.mjs`]: 'export default "computed";',
        [`${EXT}/gate/required.cjs`]: 'module.exports = "required";',
        "node_modules/dep/package.json": { name: "dep", main: "index.js" },
        "node_modules/dep/index.js": 'exports.word = "package";',
      },
      (root) => {
        for (const folder of [EXT, "node_modules"]) rmSync(join(root, folder), { recursive: true });
      },
    );
    expect(set.problems).toEqual([]);
    expect(seen).toEqual(["package", "data", "computed", "required"]);
  });
});

describe("a file that was not trusted is not loaded", () => {
  const PROJECT = "process.env.SEAM_TEST_PROJECT";
  it.each([
    ["import() of a name made up later", "await import('./mo' + 're.mjs')"],
    ["import() of a path in the project", `await import(${PROJECT} + "/${EXT}/more.mjs")`],
    ["import() of an address", `await import("file://" + ${PROJECT} + "/${EXT}/more.mjs")`],
    ["import() of CommonJS", `await import(${PROJECT} + "/${EXT}/more.cjs")`],
    ["require", `require(${PROJECT} + "/${EXT}/more.cjs")`],
    ["createRequire", `createRequire(${PROJECT} + "/${EXT}/x.js")("./more.cjs")`],
    ["createRequire of a name made up later", "createRequire(import.meta.url)('./mo' + 're.cjs')"],
    [
      "createRequire by another way",
      `Module.createRequire(${PROJECT} + "/x.js")("./${EXT}/more.cjs")`,
    ],
    [
      "createRequire that is imported late",
      `(await import("node:module")).createRequire(${PROJECT} + "/${EXT}/x.js")("./more.cjs")`,
    ],
  ])("%s", async (_, code) => {
    const files = {
      [`${EXT}/a.ts`]: `import Module, { createRequire } from "module";
        export default async () => { void Module; void createRequire; ${code}; };`,
      // Not found by reading the text: only what was trusted as an extension of its own is copied.
      "elsewhere/keep": "",
    };
    const { seen, codes, problem } = await afterTrust(files, (root) => {
      process.env.SEAM_TEST_PROJECT = root;
      write(root, { [`${EXT}/more.cjs`]: says("cjs"), [`${EXT}/more.mjs`]: says("mjs") });
    });
    expect(seen).toEqual([]);
    expect(codes()).toEqual(["SEAM_EXT_NOT_IN_COPY"]);
    expect(problem("SEAM_EXT_NOT_IN_COPY").error.message).toMatch(/more\.[cm]js was not loaded/);
  });
});

describe("a copy that was tampered with", () => {
  const GATE = {
    [`${EXT}/a.ts`]: `export const critical = true; ${says("ran")} export default () => {};`,
  };

  it("does not run; a critical one blocks with the reason and the command", async () => {
    const { seen, codes, set, sources } = await afterTrust(GATE, (root, home) => {
      appendFileSync(join(root, EXT, "a.ts"), "// hi");
      rmSync(join(home, "trusted"), { recursive: true });
    });
    expect([seen, codes()]).toEqual([[], ["SEAM_TRUST_COPY"]]);
    expect(sources[0]?.copy).toMatchObject({ critical: true, fault: expect.any(String) });
    const { blocked, reason } = await set.dispatcher.emit({ ...TOOL_CALL, input: {} });
    expect(blocked).toBe(true);
    expect(reason).toContain(`${EXT}/a.ts is not running, so tool calls are blocked`);
    expect(reason).toContain("seam trust");
  });

  it.each([
    ["says that it is an ordinary one now", says("ran")],
    ["is gone", undefined],
  ])("blocks as a critical one though its file in the project %s", async (_, text) => {
    const { seen, set } = await afterTrust(GATE, (root, home) => {
      if (text === undefined) rmSync(join(root, EXT), { recursive: true });
      else write(root, { [`${EXT}/a.ts`]: `${text} export default () => {};` });
      rmSync(join(home, "trusted"), { recursive: true });
    });
    const { blocked } = await set.dispatcher.emit({ ...TOOL_CALL, input: {} });
    expect([seen, blocked]).toEqual([[], true]);
  });

  it("does not run when it was changed after it was found", async () => {
    const { home, root } = await afterTrust(GATE);
    const { sources } = findExtensions({ cwd: root });
    const [source] = sources;
    if (!source) throw new Error("The copy was not found.");
    rmSync(source.path);
    writeFileSync(source.path, says("other"));
    const { seen, codes } = await loadFrom(root, { sources });
    expect(source.path).toContain(join(home, "trusted"));
    expect([seen, codes()]).toEqual([[], ["SEAM_EXT_NOT_IN_COPY"]]);
  });

  it("is noticed also when only a file was added to it", async () => {
    const { seen, codes } = await afterTrust(GATE, (root, home) => {
      appendFileSync(join(root, EXT, "a.ts"), "// hi");
      const [{ copy } = { copy: undefined }] = findExtensions({ cwd: root }).sources;
      write(join(home, "trusted", copy?.id ?? "", "files"), { "node_modules/x/index.js": "" });
    });
    expect([seen, codes()]).toEqual([[], ["SEAM_TRUST_COPY"]]);
  });
});
