import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/sample.ts";
import type { WatchedRule } from "./find-rules.ts";
import { RuleWatcher } from "./rule-watcher.ts";

const rule = (name: string, condition: string[], repeat = false): WatchedRule => ({
  name,
  path: `${name}.md`,
  content: name,
  condition,
  repeat,
});
const namesOf = (rules: readonly WatchedRule[]) => rules.map(({ name }) => name);

describe("a rule", () => {
  it("triggers as soon as its pattern is complete, however the text is cut up", () => {
    const watcher = new RuleWatcher([rule("no-rm", ["rm\\s+-rf"])]);
    expect(watcher.feed("I will run r")).toEqual([]);
    expect(watcher.feed("m  -r")).toEqual([]);
    expect(namesOf(watcher.feed("f /"))).toEqual(["no-rm"]);
  });

  it("triggers once in a session, also when the session is opened again", () => {
    const once = rule("once", ["x"]);
    const watcher = new RuleWatcher([once]);
    expect(watcher.feed("x")).toEqual([once]);
    watcher.startMessage();
    expect(watcher.feed("x")).toEqual([]);
    expect(new RuleWatcher([once], { triggered: ["once"] }).feed("x")).toEqual([]);
  });

  it("that repeats triggers for each new match, never twice for the same text", () => {
    const watcher = new RuleWatcher([rule("again", ["x"], true)], { triggered: ["again"] });
    const hits = ["x", "a", "b", "x", ""].map((delta) => watcher.feed(delta).length);
    expect(hits).toEqual([1, 0, 0, 1, 0]);
    watcher.startMessage();
    expect(watcher.feed("x")).toHaveLength(1);
  });

  it("has any number of patterns, which may ignore case and mean lines", () => {
    const watch = (...condition: string[]) => new RuleWatcher([rule("r", condition)]);
    expect(watch("a", "b").feed("b")).toHaveLength(1);
    expect(watch("(?i)todo").feed("ToDo")).toHaveLength(1);
    expect(watch("^import x").feed("a\nimport x")).toHaveLength(1);
  });

  it("does not match across blocks or answers", () => {
    const watcher = new RuleWatcher([rule("ab", ["ab"])]);
    watcher.feed("a", 0);
    expect(watcher.feed("b", 1)).toEqual([]);
    watcher.feed("a", 1);
    watcher.startMessage();
    expect(watcher.feed("b")).toEqual([]);
  });
});

describe("watching", () => {
  it("finds a match anywhere in a long text that comes at once", () => {
    const text = fc.record({ before: fc.nat({ max: 40_000 }), after: fc.nat({ max: 40_000 }) });
    fc.assert(
      fc.property(text, ({ before, after }) => {
        const watcher = new RuleWatcher([rule("r", ["needle"])]);
        const hits = watcher.feed(`${"x".repeat(before)}needle${"x".repeat(after)}`);
        expect(namesOf(hits)).toEqual(["r"]);
      }),
      runs(30),
    );
  });

  it("says the same however the text is cut up", () => {
    const word = fc.constantFrom("foo", "fo", "o", "bar", " ", "ba", "r");
    const rules = [rule("foo", ["foo"]), rule("bar", ["bar"]), rule("never", ["qux"])];
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const inPieces = new RuleWatcher(rules);
        const found = new Set(words.flatMap((piece) => namesOf(inPieces.feed(piece))));
        const atOnce = new Set(namesOf(new RuleWatcher(rules).feed(words.join(""))));
        expect(found).toEqual(atOnce);
      }),
      runs(50),
    );
  });

  it("forgets what is further back than its window", () => {
    const watcher = new RuleWatcher([rule("far", ["start[^]*end"])]);
    watcher.feed("start");
    for (let fed = 0; fed < 12_000; fed += 1_000) watcher.feed("x".repeat(1_000));
    expect(watcher.feed("end")).toEqual([]);
  });

  it("survives a pattern that would never come to an end, and the other rules still work", () => {
    const tooSlow: string[] = [];
    const rules = [rule("evil", ["^(a+)+$"]), rule("good", ["b"])];
    const watcher = new RuleWatcher(rules, { onTooSlow: ({ name }) => tooSlow.push(name) });
    const started = performance.now();
    expect(namesOf(watcher.feed(`${"a".repeat(40)}b`))).toEqual(["good"]);
    for (let i = 0; i < 20; i++) watcher.feed("a");
    expect(tooSlow).toEqual(["evil"]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
