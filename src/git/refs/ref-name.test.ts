import fc from "fast-check";
import { expect, it } from "vitest";
import { bytes, tempDir } from "../test-kit/index.ts";
import { isRefName } from "./ref-name.ts";

it("names are judged as git judges them", () => {
  const cwd = tempDir();
  const piece = fc.constantFrom(
    ..."a B 7 ü / // . .. .lock lock @ @{ { } ~ ^ : ? * [ ] \\ - _ \t \x7f \n HEAD".split(" "),
    " ",
  );
  const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
  const judged = { fine: 0, wrong: 0 };
  fc.assert(
    fc.property(name, (text) => {
      const full = `refs/seam/${text}`;
      let isFine = true;
      try {
        bytes(cwd, ["check-ref-format", full]);
      } catch {
        isFine = false;
      }
      judged[isFine ? "fine" : "wrong"]++;
      expect(isRefName(full)).toBe(isFine);
    }),
    // Enough of both kinds have to come: it is not sampled.
    { numRuns: 150 },
  );
  expect(Math.min(judged.fine, judged.wrong)).toBeGreaterThan(10);
});

it.each(["HEAD", "ORIG_HEAD", "refs/heads/main"])("%s is one", (name) => {
  expect(isRefName(name)).toBe(true);
});

it.each(["", "main", "refs/../config", "/refs/a", "refs/", "config"])("%j is none", (name) => {
  expect(isRefName(name)).toBe(false);
});
