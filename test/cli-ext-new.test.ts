import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

it("what was written passes its check and its own test", async () => {
  const here = place();
  const made = await here.seam("ext", "new", "no-force");
  expect(made.code).toBe(0);
  expect(made.stdout).toContain("seam ext check .seam/extensions/no-force.ts");
  const check = await here.seam("ext", "check", ".seam/extensions/no-force.ts", "--json");
  expect(check.json()).toMatchObject({ loaded: 1, failed: [] });
  const test = await here.seam("ext", "test", ".seam/extensions/no-force.test.mjs");
  expect(test.stdout).toMatch(/pass 2/);
  expect(test.code).toBe(0);
});

it("a test that fails gives exit code 1", async () => {
  const here = place();
  await here.seam("ext", "new", "no-force");
  const file = ".seam/extensions/no-force.ts";
  here.write({ [file]: "export default () => {};" });
  const { code, stdout } = await here.seam("ext", "test", file.replace(".ts", ".test.mjs"));
  expect(code).toBe(1);
  expect(stdout).toMatch(/fail 1/);
});

it("refuses to write over a file, unless told to", async () => {
  const here = place({ ".seam/extensions/mine.ts": "// mine" });
  const refused = await here.seam("ext", "new", "mine");
  const file = join(here.project, ".seam/extensions/mine.ts");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(".seam/extensions/mine.ts already exists.");
  expect(refused.stderr).toContain("--force");
  expect(readFileSync(file, "utf8")).toBe("// mine");
  expect(existsSync(file.replace(".ts", ".test.mjs"))).toBe(false);
  expect((await here.seam("ext", "new", "mine", "--force")).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("export default");
});

it("writes for all projects with --user", async () => {
  const here = place();
  expect((await here.seam("ext", "new", "house-rules", "--user")).code).toBe(0);
  expect(existsSync(join(here.home, "extensions/house-rules.ts"))).toBe(true);
  const { stdout } = await here.seam("ext", "list");
  expect(stdout).toMatch(/✓ {2}house-rules {2}user/);
});

it("refuses a name that would be a path", async () => {
  const here = place();
  const names = ["../escape", "a b", "", "a/b"];
  for (const { code, stderr } of await Promise.all(names.map((n) => here.seam("ext", "new", n)))) {
    expect(code).toBe(2);
    expect(stderr).toContain("is not a name for an extension");
  }
});

it("editors find the types beside it, and a tsconfig.json of one's own stays", async () => {
  const here = place();
  await here.seam("ext", "new", "typed");
  const folder = join(here.project, ".seam/extensions");
  const tsc = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
  const check = () =>
    spawnSync(process.execPath, [tsc, "-p", folder, "--singleThreaded"], { encoding: "utf8" })
      .stdout;
  expect(check()).toBe("");
  here.write({ ".seam/extensions/wrong.ts": 'import { nothing } from "agentseam"; nothing();' });
  expect(check()).toContain("wrong.ts(1,10): error TS2305");
  here.write({ ".seam/extensions/tsconfig.json": "{}" });
  await here.seam("ext", "new", "another");
  expect(readFileSync(join(folder, "tsconfig.json"), "utf8")).toBe("{}");
});
