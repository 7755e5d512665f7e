import { describe, expect, it } from "vitest";
import { SeamError } from "../errors/index.ts";
import { describeProblem, placeOf } from "./problem.ts";

const OWN = "/ext/a.ts";
const isOwn = (file: string) => file === OWN;

function withStack(stack: string, options?: ErrorOptions): Error {
  const error = new Error("message", options);
  error.stack = stack;
  return error;
}

const elsewhere = (options?: ErrorOptions) =>
  withStack("Error: message\n    at run (/seam/run.js:1:1)\n    at node:internal/x:2:2", options);
const own = (line: number) =>
  withStack(`Error: message\n    at run (/seam/run.js:1:1)\n    at go (${OWN}:${line}:5)`);

describe("placeOf", () => {
  it.each([
    ["in a named function", `    at go (${OWN}:7:5)`],
    ["without a name", `    at ${OWN}:7:5`],
    ["in an async function", `    at async Object.go (${OWN}:7:5)`],
    ["as a URL", `    at go (file://${OWN}:7:5)`],
    ["before the message, as for a syntax error", `${OWN}:7:5\nconst = 1`],
  ])("finds a line %s", (_, frame) => {
    expect(placeOf(withStack(`Error: message\n${frame}`), isOwn)).toEqual({ file: OWN, line: 7 });
  });

  it.each([
    ["white space", "/my ext/a.ts"],
    ["parentheses", "/ext (copy)/a.ts"],
    ["other letters", "/расширение/a.ts"],
  ])("finds a file whose path has %s", (_, file) => {
    const error = withStack(`Error: message\n    at go (${file}:7:5)`);
    expect(placeOf(error, (one) => one === file)).toEqual({ file, line: 7 });
  });

  it("takes the first of the extension's own lines, not the first of all", () => {
    const error = withStack(
      `Error: x\n    at a (/lib/x.js:1:1)\n    at b (${OWN}:3:1)\n    at c (${OWN}:9:1)`,
    );
    expect(placeOf(error, isOwn)).toEqual({ file: OWN, line: 3 });
  });

  it("looks into the cause first: that is where it began", () => {
    const outer = withStack(`Error: x\n    at c (${OWN}:9:1)`, { cause: own(3) });
    expect(placeOf(outer, isOwn)).toEqual({ file: OWN, line: 3 });
  });

  it.each([
    ["the cause", elsewhere({ cause: own(3) })],
    ["the cause of the cause", elsewhere({ cause: elsewhere({ cause: own(3) }) })],
    ["an error in between", elsewhere({ cause: Object.assign(own(3), { cause: elsewhere() }) })],
    ["the outermost, over a cause that is not an error", Object.assign(own(3), { cause: "text" })],
  ])("finds the line in %s", (_, error) => {
    expect(placeOf(error, isOwn)).toEqual({ file: OWN, line: 3 });
  });

  it("comes to an end when an error is its own cause", () => {
    const error = elsewhere();
    error.cause = error;
    expect(placeOf(error, isOwn)).toBeUndefined();
  });

  it.each([
    ["an error from elsewhere", elsewhere()],
    ["an error without a stack", Object.assign(new Error(), { stack: undefined })],
    ["a string", `at ${OWN}:7:5`],
    ["undefined", undefined],
  ])("finds nothing in %s", (_, thrown) => {
    expect(placeOf(thrown, isOwn)).toBeUndefined();
  });
});

describe("describeProblem", () => {
  const error = new SeamError("SEAM_EXT_NO_FACTORY", { path: OWN });
  const problem = { severity: "error", error, path: OWN } as const;

  it("says what happened and what to do", () => {
    expect(describeProblem(problem)).toBe(`${error.message}\n  ${error.next}`);
  });

  it("shows the place as seen from where the user is", () => {
    const where = { file: OWN, line: 12 };
    expect(describeProblem({ ...problem, where }, "/ext")).toContain(" (a.ts:12)\n");
    expect(describeProblem({ ...problem, where }, "/")).toContain(" (ext/a.ts:12)\n");
  });
});
