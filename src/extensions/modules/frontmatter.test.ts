import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseFrontmatter, stripFrontmatter } from "./frontmatter.ts";

describe("a head", () => {
  it.each([
    ["with LF", "---\nname: a\n---\nbody\n", "body\n"],
    ["with CRLF", "---\r\nname: a\r\n---\r\nbody\r\n", "body\r\n"],
    ["after a BOM", "\uFEFF---\nname: a\n---\nbody", "body"],
    ["with white space after the fences", "---  \nname: a\n--- \t\nbody", "body"],
    ["and nothing after it", "---\nname: a\n---", ""],
    ["and another fence in the body", "---\nname: a\n---\none\n---\ntwo", "one\n---\ntwo"],
  ])("%s", (_, content, body) => {
    expect(parseFrontmatter(content)).toEqual({ frontmatter: { name: "a" }, body });
    expect(stripFrontmatter(content)).toBe(body);
  });

  it("that is empty", () => {
    expect(parseFrontmatter("---\n---\nbody")).toEqual({ frontmatter: {}, body: "body" });
  });

  it("ends at a line of its own, not at dashes that end a value", () => {
    expect(parseFrontmatter("---\ntitle: a ---\nname: b\n---\nbody")).toEqual({
      frontmatter: { title: "a ---", name: "b" },
      body: "body",
    });
  });
});

describe("no head", () => {
  it.each([
    ["plain text", "just text"],
    ["nothing", ""],
    ["a fence that is never closed", "---\nname: a\nbody"],
    ["a fence that is not at the start", "\n---\nname: a\n---\nbody"],
    ["more than three dashes", "-----\nname: a\n-----\nbody"],
  ])("%s stays as it is", (_, content) => {
    expect(parseFrontmatter(content)).toEqual({ frontmatter: {}, body: content });
  });
});

describe("a head without fields", () => {
  it.each([
    ["broken YAML", "---\na: [1,\n---\nbody"],
    ["a list", "---\n- a\n---\nbody"],
    ["a word", "---\nword\n---\nbody"],
    ["an alias to nothing", "---\na: *nowhere\n---\nbody"],
  ])("%s", (_, content) => {
    expect(parseFrontmatter(content)).toEqual({ frontmatter: {}, body: "body" });
  });
});

describe("whatever it is given", () => {
  const piece = fc.oneof(
    fc.constantFrom("---", "\n", "\r\n", "\uFEFF", ": ", "&a", "*a", "- ", "{", "[", "!!js", "\t"),
    fc.string(),
  );

  it("it never throws, and the body is the end of the text", () => {
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (pieces, fenced) => {
        const text = (fenced ? "---\n" : "") + pieces.join("");
        const { frontmatter, body } = parseFrontmatter(text);
        expect(typeof frontmatter).toBe("object");
        expect(text.endsWith(body)).toBe(true);
      }),
    );
  });

  it("what was written comes back", () => {
    const fields = fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.oneof(fc.string(), fc.nat()));
    fc.assert(
      fc.property(fields, fc.string(), (frontmatter, body) => {
        const text = `---\n${stringify(frontmatter)}---\n${body}`;
        expect(parseFrontmatter(text)).toEqual({ frontmatter: { ...frontmatter }, body });
      }),
    );
  });
});
