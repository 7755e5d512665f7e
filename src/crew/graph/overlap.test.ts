import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { canOverlap } from "./overlap.ts";

describe("declared files", () => {
  it.each([
    ["src/a.ts", "src/a.ts", true],
    ["src/a.ts", "src/b.ts", false],
    ["src/**", "src/deep/er/x.ts", true],
    ["src/", "src/x.ts", true],
    ["src", "src/x.ts", true],
    ["./src/x.ts", "src/x.ts", true],
    ["src/*.ts", "src/*.css", false],
    ["src/*.ts", "src/a*", true],
    ["src/a*", "src/b*", false],
    ["**/*.md", "docs/**", true],
    ["docs/*.md", "docs/deep/x.md", false],
    ["**", "anything", true],
    ["src/{a,b}.ts", "src/b.ts", true],
  ])("%s and %s", (one, other, isOverlapping) => {
    expect(canOverlap([one], [other])).toBe(isOverlapping);
    expect(canOverlap([other], [one])).toBe(isOverlapping);
  });

  it("nothing that was declared overlaps with nothing", () => {
    expect(canOverlap([], ["**"])).toBe(false);
  });

  it("two lists that both match a path overlap, whatever the globs", () => {
    const part = fc.constantFrom("a", "b", "ab", "*", "a*", "*b", "**", "?");
    const glob = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    const path = fc
      .array(fc.constantFrom("a", "b", "ab", "aab"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(glob, glob, path, (one, other, file) => {
        fc.pre(matches(file, one) && matches(file, other));
        expect(canOverlap([one], [other])).toBe(true);
      }),
      runs(2000),
    );
  });
});

/** What the globs of this property mean, written in another way than the code that is tested. */
function matches(path: string, glob: string): boolean {
  const source = glob
    .split("/")
    .map((part) =>
      part === "**" ? "(?:[^/]+/)*" : `${part.replace("*", "[^/]*").replace("?", "[^/]")}/`,
    )
    .join("");
  return new RegExp(`^${source}$`).test(`${path}/`);
}
