import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const BUILT = join(ROOT, "dist");
const COMPILED = join(BUILT, "bin/compiled");

/** A copy of what is built that nothing was started from yet. */
function programs() {
  const folder = mkdtempSync(join(tmpdir(), "built-"));
  const bin = join(folder, "dist/bin");
  const compiled = join(bin, "compiled");
  const filter = (from: string) => !from.startsWith(COMPILED);
  cpSync(BUILT, join(folder, "dist"), { recursive: true, filter });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const seam = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    execFileSync(process.execPath, [join(bin, "seam.js"), ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
  const run = (env = {}) => seam(env, "--help");
  const kept = () =>
    readdirSync(compiled, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { folder, compiled, run, seam, kept };
}

it("what V8 compiled at the first start is kept, whole and under the name of its text", () => {
  const { run, kept } = programs();
  const said = run();
  expect(said).toContain("Usage: seam <command>");
  const files = kept();
  expect(files.some((file) => /\/seam-\w+\.js$/.test(file))).toBe(true);
  const before = files.map((file) => readFileSync(file));
  expect(run()).toBe(said);
  expect(kept()).toEqual(files);
  expect(files.map((file) => readFileSync(file))).toEqual(before);
});

it("a start does not fail for what is wrong with it", () => {
  const { run, kept } = programs();
  const said = run();
  for (const [at, file] of kept().entries()) writeFileSync(file, at % 2 ? "" : "not compiled code");
  expect(run()).toBe(said);
  expect(kept().every((file) => readFileSync(file).length > 100)).toBe(true);
});

it("where nothing can be written, and where the user wants none, programs start without it", () => {
  const { compiled, run } = programs();
  run({ NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(existsSync(compiled)).toBe(false);
  writeFileSync(compiled, "a file in the place of the folder");
  expect(run()).toContain("Usage: seam <command>");
  expect(readFileSync(compiled, "utf8")).toBe("a file in the place of the folder");
});

it("the compiler of TypeScript, which comes with the first such file, is kept in the same way", () => {
  const { folder, seam, kept } = programs();
  writeFileSync(join(folder, "typed.ts"), "export default (pi: { on: unknown }) => {};\n");
  const check = () => seam({ HOME: folder, SEAM_HOME: folder }, "ext", "check", "typed.ts");
  expect(check()).toContain("typed");
  expect(kept().filter((file) => /\/sucrase-\w+\.js$/.test(file))).toHaveLength(1);
});
