import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { split, unified } from "./layout.ts";
import { parseDiff } from "./parse-diff.ts";

const GIT = `diff --git a/src/post.ts b/src/post.ts
index 1..2 100644
--- a/src/post.ts
+++ b/src/post.ts
@@ -1,4 +1,4 @@ export function post() {
 const entries = split(invoice);
-await db.insert(entries[0]);
-await db.insert(entries[1]);
+await db.insert(entries[0], tx);
+-- not a header
 done();
\\ No newline at end of file
diff --git a/old name.md b/new name.md
similarity index 100%
rename from old name.md
rename to new name.md
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
`;

describe("a diff that git printed", () => {
  it("is read file by file, with moved and binary files", () => {
    expect(parseDiff(GIT).map(({ hunks, ...file }) => ({ ...file, hunks: hunks.length }))).toEqual([
      { path: "src/post.ts", change: "changed", added: 2, deleted: 2, hunks: 1 },
      {
        path: "new name.md",
        from: "old name.md",
        change: "moved",
        added: 0,
        deleted: 0,
        hunks: 0,
      },
      { path: "logo.png", change: "binary", added: 0, deleted: 0, hunks: 0 },
    ]);
  });

  it("numbers its lines on both sides and keeps a line that looks like a header", () => {
    const lines = parseDiff(GIT)[0]?.hunks[0]?.lines;
    expect(lines?.map(({ kind, old, new: now }) => [kind, old, now])).toEqual([
      ["same", 1, 1],
      ["del", 2, undefined],
      ["del", 3, undefined],
      ["add", undefined, 2],
      ["add", undefined, 3],
      ["same", 4, 4],
      ["note", undefined, undefined],
    ]);
    expect(lines?.[4]?.text).toBe("-- not a header");
  });
});

describe("a diff of plain hunks", () => {
  it("is read without any header", () => {
    const [file] = parseDiff("@@ -1 +1 @@\n-a\n+b");
    expect(file).toMatchObject({ path: "", added: 1, deleted: 1 });
  });

  it("that is shorter than it says ends where the next file begins", () => {
    const text = "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n";
    expect(parseDiff(text).map(({ path }) => path)).toEqual(["x", "y"]);
  });

  it("never throws, whatever it is", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom("@@ -1,2 +3 @@", "--- a", "+++ b", "-x", "+y"),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void parseDiff(lines.join("\n"))));
  });
});

describe("the two layouts", () => {
  it("mark the words that changed", () => {
    const lines = parseDiff(GIT)[0]?.hunks[0]?.lines ?? [];
    const changed = unified(lines).map((line) =>
      line.pieces.filter((piece) => piece.isChanged).map((piece) => piece.text),
    );
    expect(changed[3]?.join("")).toBe(", tx");
    expect(changed[1]).toEqual([]);
  });

  it("lose no line: both sides are the two files again", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c d", "c e", ""), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const file = (texts: string[]) => texts.map((line) => `${line}\n`).join("");
        const patch = createTwoFilesPatch("a", "b", file(before), file(after), "", "", {
          context: 1000,
        });
        const lines = parseDiff(patch)[0]?.hunks[0]?.lines;
        if (!lines) return;
        const rows = split(lines);
        const left = rows.flatMap((row) => (row.left ? [row.left.text] : []));
        const right = rows.flatMap((row) => (row.right ? [row.right.text] : []));
        expect(left).toEqual(before);
        expect(right).toEqual(after);
        expect(unified(lines).map((line) => line.pieces.map((p) => p.text).join(""))).toEqual(
          lines.map((line) => line.text),
        );
      }),
    );
  });
});
