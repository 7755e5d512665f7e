import { expect, it } from "vitest";
import { wrapHelp } from "./help.ts";

const TEXT = `A held session waits at its next call; it is denied with "try
again later", which is no answer.

Examples:
  seam hold 3f9a12c4 --off --and --a --very --long --line`;

it("a paragraph of which a line is too long is filled anew; examples stay in one piece", () => {
  expect(wrapHelp(TEXT, 40).split("\n")).toEqual([
    "A held session waits at its next call;",
    'it is denied with "try again later",',
    "which is no answer.",
    "",
    "Examples:",
    "  seam hold 3f9a12c4 --off --and --a --very --long --line",
  ]);
});

it("what fits is left as it was written", () => {
  expect(wrapHelp(TEXT, 80)).toBe(TEXT);
});
