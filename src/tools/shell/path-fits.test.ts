import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathFits } from "./path-fits.ts";
import { SHELL_UNKNOWN as X } from "./reading.ts";

describe("a path and a pattern", () => {
  it.each([
    [".env", "**/.env", "yes"],
    [".ENV", "**/.env", "yes"],
    ["a/b/.env", "**/.env", "yes"],
    ["/home/me/.env", "**/.env", "yes"],
    [`${X}/.env`, "**/.env", "yes"],
    [".env.local", "**/.env", "no"],
    [".env.local", "**/.env.*", "yes"],
    ["a.env", "**/.env", "no"],
    [".e*", "**/.env", "maybe"],
    [".en?", "**/.env", "maybe"],
    [".[e]nv", "**/.env", "maybe"],
    [".f*", "**/.env", "no"],
    [X, "**/.env", "maybe"],
    [`src/${X}.ts`, "**/.env", "no"],
    [`${X}/*.log`, "**/.env", "no"],
    [`${X}/*.log`, "**/.git/**", "maybe"],
    [".git", "**/.git", "yes"],
    [".git/hooks/pre-commit", "**/.git/**", "yes"],
    [".gitignore", "**/.git/**", "no"],
    ["server.KEY", "**/*.key", "yes"],
    ["a/b", "a/*", "yes"],
    ["a/b/c", "a/*", "no"],
    ["a/b/c", "a/**", "yes"],
    ["", "**/.env", "no"],
  ] as const)("%s and %s: %s", (path, pattern, fits) => {
    expect(pathFits(path, pattern)).toBe(fits);
  });

  it("what is a yes for one text is at least a maybe for a pattern of it", () => {
    const name = fc.stringMatching(/^[a-z.]{1,6}$/);
    fc.assert(
      fc.property(name, name, fc.nat(5), (folder, file, at) => {
        const path = `${folder}/${file}`;
        const cut = at % path.length;
        const vague = path.slice(0, cut) + X + path.slice(cut + 1);
        expect(pathFits(path, `**/${file}`)).toBe("yes");
        expect(pathFits(vague, `**/${file}`)).not.toBe("no");
      }),
    );
  });

  it("never throws, and is done with the longest path there can be", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, pattern) => {
        expect(["yes", "maybe", "no"]).toContain(pathFits(path, pattern));
      }),
    );
    expect(pathFits("*".repeat(100_000), "**/.env")).toBe("maybe");
  });
});
