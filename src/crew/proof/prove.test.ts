import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../git/test-kit/index.ts";
import { prove } from "./prove.ts";

const inFolder = () => {
  const cwd = tempDir();
  const folder = join(cwd, "proof");
  return { cwd, folder, env: process.env, commit: "c0ffee", timeoutMs: 60_000 };
};

it("passes when every command ends with 0, and keeps what each printed", async () => {
  const place = inFolder();
  const proof = await prove(["echo one", "echo two >made"], place);
  expect(proof).toMatchObject({ passed: true, commit: "c0ffee" });
  expect(proof.checks.map(({ exitCode, output }) => [exitCode, output])).toEqual([
    [0, "one\n"],
    [0, ""],
  ]);
  expect(readFileSync(proof.checks[0]?.file ?? "", "utf8")).toBe("one\n");
  expect(readFileSync(join(place.cwd, "made"), "utf8")).toBe("two\n");
});

it("ends with the first command that fails", async () => {
  const proof = await prove(["false", "touch never"], inFolder());
  expect(proof.passed).toBe(false);
  expect(proof.checks).toMatchObject([{ command: "false", exitCode: 1 }]);
});

it("does not pass when a command had to be ended", async () => {
  const proof = await prove(["sleep 1000"], { ...inFolder(), timeoutMs: 200 });
  expect(proof).toMatchObject({ passed: false, checks: [{ killed: expect.any(Number) }] });
  expect(proof.checks[0]?.exitCode).toBeUndefined();
  expect(proof.checks[0]?.reason).toContain("did not end");
});

it("passes without commands: then there is nothing to prove", async () => {
  expect(await prove([], inFolder())).toMatchObject({ passed: true, checks: [] });
});
