import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ObjectBatch } from "../object-batch.ts";
import { rawPath } from "../paths/raw-path.ts";
import { init, run, storeOf, write } from "../test-kit/index.ts";
import { formsOfStored } from "./disk-forms.ts";

const NAME = "a.txt";
const PATH = rawPath(Buffer.from(NAME));

/** A file for which this is stored, whatever is on the disk. */
async function storedAs(text: string) {
  const root = init();
  const batch = new ObjectBatch(await storeOf(root));
  const id = await batch.writeBlob(Buffer.from(text));
  const forms = () => formsOfStored(batch, new Map([[PATH, { mode: "100644", id }]]));
  return { root, batch, forms };
}

it("a file that was written after it was stored has no form, and its new bytes are not stored", async () => {
  const { root, batch, forms } = await storedAs("one\ntwo\n");
  write(root, { [NAME]: "one\r\ntwo\nthree\n" });
  expect(await forms()).toEqual(new Map());
  const raw = run(root, "hash-object", "--no-filters", NAME).trim();
  expect(await batch.store.info(raw)).toBeUndefined();
});

it("a large file of which a filter stores a few bytes is not read", async () => {
  const { root, forms } = await storedAs("version 1\noid sha256:0\nsize 64000000\n");
  write(root, { [NAME]: "" });
  truncateSync(join(root, NAME), 64_000_000);
  const bytesRead = () => Number(/^rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  const before = bytesRead();
  expect(await forms()).toEqual(new Map());
  expect(bytesRead() - before).toBeLessThan(16_000_000);
});
