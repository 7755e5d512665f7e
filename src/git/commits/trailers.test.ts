import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { bytes, init, opened, run } from "../test-kit/index.ts";
import { addTrailer, commentCharOf, trailerBlock, trailersOf } from "./trailers.ts";

const KEY = "Seam-Checkpoint";

const LINES = [
  "Subject line",
  "fix: something",
  "",
  "",
  "  ",
  "Body text",
  "Signed-off-by: Test User <test@example.com>",
  "Key: value",
  "key-two : spaced",
  "Not a key: value",
  "http://example.com",
  " continued",
  "\tcontinued too",
  "(cherry picked from commit 0123456789)",
  "# a comment",
  "Seam-Checkpoint: first",
  "Conflicts:",
  "\tpath/in/conflict",
  "---",
  "# ------------------------ >8 ------------------------",
  "diff --git a/x b/x",
];

const messageOf = (lines: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom("Subject", "fix: subject", "# comment\nSubject"),
      fc.array(fc.constantFrom(...lines), { maxLength: 10 }),
    )
    .map(([subject, rest]) => `${[subject, ...rest].join("\n")}\n`);

const message = messageOf(LINES);

function interpret(text: string, ...args: string[]): string {
  return bytes("/", ["interpret-trailers", "--no-divider", ...args], text).toString();
}

describe("as git does it", () => {
  it("a trailer is added", () => {
    fc.assert(
      // Where a line of spaces ends the block, git adds after it, and so outside.
      fc.property(messageOf(LINES.filter((line) => line !== "  ")), (text) => {
        const added = interpret(text, "--trailer", `${KEY}: new`);
        // git also rewrites the trailers that were there; Seam leaves them as they are.
        expect(interpret(addTrailer(text, KEY, "new"))).toBe(added);
      }),
      runs(300),
    );
  }, 60_000);

  it("trailers are read", () => {
    fc.assert(
      fc.property(message, (text) => {
        const lines = interpret(text, "--parse").split("\n");
        const { trailers } = trailerBlock(text);
        const keyed = lines.filter((line) => /^[\w-]+: /.test(`${line} `));
        expect(trailers.map(({ key, value }) => `${key}: ${value}`.trim())).toEqual(
          keyed.map((line) => line.trim()),
        );
      }),
      runs(300),
    );
  }, 60_000);
});

describe("a trailer is added", () => {
  it("to the block that is there, or after a blank line", () => {
    expect(addTrailer("Subject\n", KEY, "x")).toBe("Subject\n\nSeam-Checkpoint: x\n");
    expect(addTrailer("Subject", KEY, "x")).toBe("Subject\n\nSeam-Checkpoint: x\n");
    expect(addTrailer("Subject\n\nBody\n", KEY, "x")).toBe(
      "Subject\n\nBody\n\nSeam-Checkpoint: x\n",
    );
    expect(addTrailer("S\n\nOther: 1\n", KEY, "x")).toBe("S\n\nOther: 1\nSeam-Checkpoint: x\n");
  });

  it("to the block also when a line of spaces follows", () => {
    expect(addTrailer("S\n\nOther: 1\n  \n", KEY, "x")).toBe("S\n\nOther: 1\nSeam-Checkpoint: x\n");
  });

  it("once", () => {
    const once = addTrailer("Subject\n", KEY, "x");
    expect(addTrailer(once, KEY, "x")).toBe(once);
    expect(addTrailer(once, KEY, "y")).toBe(`${once}Seam-Checkpoint: y\n`);
  });

  it("before comments and what is cut off", () => {
    const rest =
      "\n# Please enter the message\n# ------------------------ >8 ------------------------\ndiff\n";
    expect(addTrailer(`Subject\n${rest}`, KEY, "x")).toBe(`Subject\n\nSeam-Checkpoint: x\n${rest}`);
    const other = rest.replaceAll("#", ";");
    const options = { commentChar: ";" };
    expect(addTrailer(`Subject\n${other}`, KEY, "x", options)).toBe(
      `Subject\n\nSeam-Checkpoint: x\n${other}`,
    );
  });

  it("below the line where the subject is still to be written", () => {
    const comments = "# Please enter the message\n";
    for (const start of ["", "\n", "\n\n"]) {
      expect(addTrailer(start + comments, KEY, "x")).toMatch(
        /^\n\nSeam-Checkpoint: x\n\n*# Please enter the message\n$/,
      );
    }
    expect(addTrailer("", KEY, "x")).toBe("\n\nSeam-Checkpoint: x\n");
  });
});

it.each([
  [undefined, "#"],
  [";", ";"],
  ["auto", "#"],
])("comments start, with core.commentChar %j, with %j", async (setting, char) => {
  const root = init();
  if (setting !== undefined) run(root, "config", "core.commentChar", setting);
  expect(await commentCharOf(await opened(root))).toBe(char);
});

describe("the values of a key", () => {
  it("are found wherever a squash has left them, in order, each once", () => {
    const squashed = [
      "Squashed (#7)",
      "",
      "* first",
      "",
      "Seam-Checkpoint: b",
      "",
      "    second, indented by git merge --squash",
      "",
      "    seam-checkpoint:   a  ",
      "    Seam-Checkpoint: b",
      "",
      "Co-authored-by: Test User <test@example.com>",
      "Seam-Checkpoint: c",
      "Seam-Checkpoint:",
    ].join("\n");
    expect(trailersOf(squashed, KEY)).toEqual(["b", "a", "c"]);
  });

  it("are not taken from comments, longer keys, or below the cut", () => {
    const text = [
      "Subject",
      "",
      "# Seam-Checkpoint: comment",
      "X-Seam-Checkpoint: other",
      "see Seam-Checkpoint: prose",
      "# ------------------------ >8 ------------------------",
      " Seam-Checkpoint: context of a diff",
    ].join("\n");
    expect(trailersOf(text, KEY)).toEqual([]);
  });

  it("are at least those that git sees", () => {
    fc.assert(
      fc.property(message, (text) => {
        const added = addTrailer(text, KEY, "new");
        expect(trailersOf(added, KEY)).toContain("new");
      }),
    );
  });
});
