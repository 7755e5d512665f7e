import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/view/api.ts";
import { NO_ENTRIES, withPage } from "./entry-window.ts";
import { promptBeside, turnAt } from "./reading-position.ts";

/** A session of 100 entries with a prompt at every tenth, of which the page has some. */
const entry = (n: number): Entry => ({
  key: `k${n}`,
  kind: n % 10 === 0 ? "prompt" : "answer",
  body: { text: "" },
});
const prompts = Array.from({ length: 10 }, (_, n) => ({
  key: `k${n * 10}`,
  index: n * 10,
  text: "",
}));
const having = (from: number, to: number) =>
  withPage(
    NO_ENTRIES,
    {
      entries: Array.from({ length: to - from }, (_, n) => entry(from + n)),
      hasBefore: from > 0,
      hasAfter: to < 100,
      total: 100,
      from,
    },
    "anywhere",
  );

describe("the turn one reads", () => {
  it("is the one whose prompt comes before", () => {
    expect(turnAt(having(0, 100), prompts, 37)).toBe("k30");
    expect(turnAt(having(0, 100), prompts, 30)).toBe("k30");
  });

  it("is known also when its prompt is not on the page", () => {
    expect(turnAt(having(35, 60), prompts, 37)).toBe("k30");
  });

  it("is the last one without a name", () => {
    expect(turnAt(having(0, 100), prompts, 95)).toBeUndefined();
    expect(turnAt(having(95, 100), prompts, 97)).toBeUndefined();
  });
});

describe("jumping from prompt to prompt", () => {
  it("leads to the next one and the one before, also where the page has not been", () => {
    const window = having(35, 45);
    expect(promptBeside(window, prompts, 40, 1)).toBe("k50");
    expect(promptBeside(window, prompts, 40, -1)).toBe("k30");
    expect(promptBeside(window, prompts, 43, -1)).toBe("k40");
  });

  it("ends at both ends", () => {
    expect(promptBeside(having(0, 100), prompts, 0, -1)).toBeUndefined();
    expect(promptBeside(having(0, 100), prompts, 99, 1)).toBeUndefined();
  });
});
