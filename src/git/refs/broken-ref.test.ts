import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { opened, run, tempDir, withFiles, write } from "../test-kit/index.ts";
import { brokenRef, setAsideRef } from "./broken-ref.ts";

const REF = "refs/seam/one";

async function repository() {
  const root = withFiles({ a: "1" });
  const head = run(root, "rev-parse", "HEAD");
  return { root, head, repo: await opened(root), to: join(tempDir(), "deep", "aside") };
}

it("finds nothing wrong with a reference that is whole, packed or not there", async () => {
  const { root, head, repo } = await repository();
  expect(await brokenRef(repo, REF)).toBeUndefined();
  run(root, "update-ref", REF, head);
  expect(await brokenRef(repo, REF)).toBeUndefined();
  run(root, "pack-refs", "--all");
  expect(await brokenRef(repo, REF)).toBeUndefined();
});

it.each([
  ["damaged", ""],
  ["damaged", "\0garbage\n"],
  ["damaged", "123\n"],
  ["symbolic", "ref: refs/heads/main\n"],
  ["symbolic", `ref: ${REF}\n`],
])("says that it is %s: %j, and takes it out of the way", async (how, text) => {
  const { root, head, repo, to } = await repository();
  run(root, "update-ref", REF, head);
  run(root, "pack-refs", "--all");
  write(root, { [`.git/${REF}`]: text });
  expect(await brokenRef(repo, REF)).toBe(how);
  await setAsideRef(repo, REF, to);
  expect(readFileSync(to, "utf8")).toBe(text);
  // What was packed before is there again, and what it led to is where it was.
  expect(run(root, "rev-parse", REF)).toBe(head);
  expect(run(root, "rev-parse", "main")).toBe(head);
  expect(existsSync(join(root, ".git", `${REF}.lock`))).toBe(false);
});

it("leaves one alone that somebody else has put right", async () => {
  const { root, head, repo, to } = await repository();
  run(root, "update-ref", REF, head);
  await setAsideRef(repo, REF, to);
  expect(run(root, "rev-parse", REF)).toBe(head);
  expect(existsSync(to)).toBe(false);
});
