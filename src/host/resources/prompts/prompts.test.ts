import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testProject } from "../test-kit.ts";
import { expandPrompt, joinArguments, splitArguments } from "./expand-prompt.ts";
import { findPrompts } from "./find-prompts.ts";

const project = testProject();

function expand(content: string, args: string): string | undefined {
  project.write(".seam/prompts/p.md", content);
  return expandPrompt(`/p ${args}`, findPrompts({ cwd: project.root }).prompts)?.text;
}

describe("prompts", () => {
  it("are the Markdown files of the project, the user and the extensions, first come first", () => {
    project.write(".seam/prompts/review.md", "---\ndescription: Ours\n---\nReview");
    project.write("~/prompts/review.md", "Theirs");
    project.write("~/prompts/plain.md", "\nSay hello\nand more");
    project.write("~/prompts/notes.txt", "not one");
    const file = project.write("ext/extra.md", "---\nargument-hint: <file>\n---\nx");
    const { prompts, problems } = findPrompts({ cwd: project.root, extraPaths: [file] });
    expect(prompts.map(({ name, description }) => [name, description])).toEqual([
      ["review", "Ours"],
      ["plain", "Say hello"],
      ["extra", "x"],
    ]);
    expect(prompts[2]?.argumentHint).toBe("<file>");
    expect(prompts[2]?.sourceInfo.scope).toBe("temporary");
    expect(problems.map(({ path }) => path)).toEqual([`${project.home}/prompts/review.md`]);
  });

  it("behind links that lead out of the project are left alone, which is said", () => {
    const file = project.write("~/private/prompt.md", "The user's own");
    project.write(".seam/prompts/own.md", "Ours");
    symlinkSync(file, join(project.root, ".seam/prompts/linked.md"));
    const { prompts, problems } = findPrompts({ cwd: project.root });
    expect(prompts.map(({ name }) => name)).toEqual(["own"]);
    expect(problems[0]?.message).toContain(`it leads to ${file}`);
  });

  it("that cannot be used are reported", () => {
    project.write(".seam/prompts/a b.md", "x");
    project.write(".seam/prompts/broken.md", "---\na: [\n---\nx");
    project.write(".seam/prompts/empty.md", "---\ndescription: d\n---\n");
    const { prompts, problems } = findPrompts({ cwd: project.root });
    expect(prompts).toEqual([]);
    expect(problems).toHaveLength(3);
  });

  it("have a short description even when their first line is long", () => {
    project.write(".seam/prompts/long.md", "word ".repeat(100));
    const [prompt] = findPrompts({ cwd: project.root }).prompts;
    expect(prompt?.description.length).toBeLessThanOrEqual(80);
  });
});

describe("placeholders", () => {
  it.each([
    ["Look at $1 and $2.", "a.ts b.ts c.ts", "Look at a.ts and b.ts."],
    ["[$1][$3]", '"two words" x', "[two words][]"],
    ["All: $@", 'one "two three"', "All: one two three"],
    ["All: $ARGUMENTS.", "one  two\nthree", "All: one  two\nthree."],
    [`From 2: \${@:2}`, "a b c d", "From 2: b c d"],
    [`Two from 2: \${@:2:2}`, "a b c d", "Two from 2: b c"],
    [`All: \${@:0}`, "a b", "All: a b"],
    ["$1", "$2 $1", "$2"],
    ["$10", "1 2 3 4 5 6 7 8 9 ten", "ten"],
    ["$ARGUMENTSX $HOME $", "a", "$ARGUMENTSX $HOME $\n\na"],
    ["Fix: $@", "don't touch 'this one'", "Fix: don't touch this one"],
    ["$1|$2", `"say \\"hi\\"" end`, `say "hi"|end`],
    ["Nothing to fill in.", "but this", "Nothing to fill in.\n\nbut this"],
    ["$1 is empty", "", " is empty"],
  ])("%j with %j", (content, args, expected) => {
    expect(expand(content, args)).toBe(expected);
  });

  it("are not looked for in other texts", () => {
    project.write(".seam/prompts/p.md", "x");
    const { prompts } = findPrompts({ cwd: project.root });
    for (const text of ["/q", "p", "say /p", "/", ""]) {
      expect(expandPrompt(text, prompts)).toBeUndefined();
    }
    expect(expandPrompt("  /p  ", prompts)?.args).toBe("");
  });
});

describe("arguments", () => {
  const values = (text: string) => splitArguments(text).map(({ value }) => value);

  it("can be quoted, and a quote that encloses nothing is a character", () => {
    expect(values(`a "b c" 'd e' f`)).toEqual(["a", "b c", "d e", "f"]);
    expect(values(`it's 5" wide`)).toEqual(["it's", `5"`, "wide"]);
    expect(values(`"open end`)).toEqual([`"open`, "end"]);
    expect(values(`"" ''`)).toEqual(["", ""]);
  });

  it("without quotes are the words, and joined again the text", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\t", "\\", "$", "é") });
    fc.assert(
      fc.property(text, (raw) => {
        expect(values(raw)).toEqual(raw.trim() === "" ? [] : raw.trim().split(/\s+/));
        expect(joinArguments(splitArguments(raw))).toBe(raw.trim());
      }),
    );
  });

  it("quoted with backslashes come out as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (list) => {
        const quoted = list.map((item) => `"${item.replace(/[\\"]/g, "\\$&")}"`).join(" ");
        expect(values(quoted)).toEqual(list);
      }),
    );
  });

  it("never lose a character that is not a quote, a backslash or white space", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "'", "\\", " ", "\n") });
    const bare = (raw: string) => raw.replace(/["'\\\s]/g, "");
    fc.assert(
      fc.property(text, (raw) => {
        expect(bare(values(raw).join(""))).toBe(bare(raw));
      }),
    );
  });
});
