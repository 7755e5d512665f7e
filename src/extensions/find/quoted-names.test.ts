import { expect, it } from "vitest";
import { quotedNames } from "./quoted-names.ts";

const imported = (text: string) =>
  [...quotedNames(text)].filter(({ isImported }) => isImported).map(({ name }) => name);
const arguments_ = (text: string) =>
  [...quotedNames(text)].filter(({ isArgument }) => isArgument).map(({ name }) => name);

it("an import is known by the word in front of it, whatever stands between", () => {
  expect(
    imported(`import a from "a"; import'b';
      export * from \`c\`
      await import( /* "no" */ "d"); require /* one */ /* two */ (("e"));
      import // a note, https://example.com
        "f"; const important = "g"; x = [from, "h"]`),
  ).toEqual(["a", "b", "c", "d", "e", "f"]);
});

it("an argument is known by the bracket in front of it", () => {
  expect(arguments_(`load("a"); load( 'b', 'c'); x["d"]`)).toEqual(["a", "b"]);
});

it("what only types come from is left out", () => {
  const text = `import type { A } from "a"; export type * from 'b'
    import type {\n  B,\n} from "c"; import { D } from "d"; import type E from "e"`;
  expect(imported(text)).toEqual(["d"]);
});

it("names are found around every quote, so that none can be hidden by one", () => {
  const names = [...quotedNames(`// don't\nload("./a")`)].map(({ name }) => name);
  expect(names).toContain("./a");
});
