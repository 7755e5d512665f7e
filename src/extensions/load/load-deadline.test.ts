import { expect, it } from "vitest";
import { BYSTANDER, load } from "../test-kit/index.ts";

it.each([
  ["a factory that never resolves", "export default () => new Promise(() => {});"],
  ["a module that never resolves", "await new Promise(() => {}); export default () => {};"],
])("%s is given up, the next extension loads", async (_, source) => {
  const { set, problem, path } = await load(
    { "stuck.ts": source, "next.ts": BYSTANDER },
    { loadDeadlineMs: 200 },
  );
  expect(problem("SEAM_EXT_LOAD_TIMEOUT").error.message).toContain(path("stuck.ts"));
  expect(problem("SEAM_EXT_LOAD_TIMEOUT").error.message).toContain("200 ms");
  expect(set.extensions.map(({ name }) => name)).toEqual(["next"]);
});
