import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES, explainUnknownEvent, nearest } from "./index.ts";

describe("nearest", () => {
  it.each([
    ["tool_cal", "tool_call"],
    ["toolcall", "tool_call"],
    ["Tool_Call", "tool_call"],
    ["session_strat", "session_start"],
    ["turn_sart", "turn_start"],
  ])("%s is meant to be %s", (word, meant) => {
    expect(nearest(word, EVENT_NAMES)).toBe(meant);
  });

  it.each(["", "x", "completely_different_word", "on_before_everything_else"])(
    "%j is close to nothing",
    (word) => {
      expect(nearest(word, EVENT_NAMES)).toBeUndefined();
    },
  );

  it("without candidates there is none", () => {
    expect(nearest("tool_call", [])).toBeUndefined();
  });

  it("of two equally close ones the first is taken", () => {
    expect(nearest("bbat", ["cbat", "dbat"])).toBe("cbat");
  });

  it("a word finds itself, and one letter more or less does no harm", () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENT_NAMES), fc.nat(), (name, at) => {
        expect(nearest(name, EVENT_NAMES)).toBe(name);
        const i = at % name.length;
        expect(nearest(`${name.slice(0, i)}~${name.slice(i)}`, EVENT_NAMES)).toBe(name);
      }),
    );
  });
});

describe("explainUnknownEvent", () => {
  it("suggests what was probably meant", () => {
    expect(explainUnknownEvent("tool_cal")).toContain('Did you mean "tool_call"?');
  });

  it("says where to look when nothing is close", () => {
    expect(explainUnknownEvent("completely_different_word")).toBe("docs/events.md lists them all.");
  });

  it("knows the events of other hosts and what to use instead", () => {
    const hint = explainUnknownEvent("before_subagent_spawn");
    expect(hint).toContain("oh-my-pi");
    expect(hint).toContain('"subagent_start"');
  });

  it("says so when there is nothing to use instead", () => {
    const hint = explainUnknownEvent("cache_warming_decision");
    expect(hint).toContain("Pi fires it, Seam does not");
    expect(hint).not.toContain("instead");
  });

  it.each(["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty"])(
    "%s is not the event of another host",
    (name) => {
      expect(explainUnknownEvent(name)).not.toContain("fires it");
    },
  );
});
