import { expect, test } from "vitest";
import { paintLine } from "./background.ts";

const blue = (text: string) => `\u001b[44m${text}\u001b[49m`;

test("the background reaches over the whole line", () => {
  expect(paintLine("ab", 4, blue)).toBe("\u001b[44mab  \u001b[49m");
});

test("text that resets its styles does not end the background behind it", () => {
  expect(paintLine("\u001b[31ma\u001b[0mb", 2, blue)).toBe(
    "\u001b[44m\u001b[31ma\u001b[0m\u001b[44mb\u001b[49m",
  );
});

test("after a background of its own the text is on the outer one again", () => {
  expect(paintLine("\u001b[41ma\u001b[49mb", 2, blue)).toBe(
    "\u001b[44m\u001b[41ma\u001b[49m\u001b[44mb\u001b[49m",
  );
});
