import { expect, it } from "vitest";
import { joinStories, type StoryEntry, type ToldStory } from "./story.ts";
import { storyInOrder, withChildren } from "./subagent-story.ts";

const start = (call_id: string, text: string): StoryEntry => {
  return { kind: "call", tool: "subagent", call_id, text };
};
const asked = (text: string): StoryEntry => ({ kind: "prompt", text });
const said = (text: string): StoryEntry => ({ kind: "answer", text });
const of = (...entries: StoryEntry[]): ToldStory => ({ entries });
const texts = (story: ToldStory) => storyInOrder(story).entries.map(({ text }) => text);

const BOTH = of(start("c1", "the first part"), start("c2", "the second part"), said("Both run."));

it("what subagents did stands below the call that asked for it, whatever they are called", () => {
  const children = [
    { id: "a", story: of(asked("Do the second part."), said("second")) },
    { id: "b", story: of(asked("Do the first part."), said("first")) },
  ];
  const main = of(start("c1", "Do the first part."), start("c2", "Do the second part."));
  expect(texts(withChildren(main, children))).toEqual([
    "Do the first part.",
    "first",
    "Do the second part.",
    "second",
  ]);
});

it("what the transcript says of a subagent's call goes before what it was asked", () => {
  const children = ["a", "b"].map((id) => ({ id, story: of(asked("the same"), said(id)) }));
  const main = of(start("c1", "the same"), start("c2", "the same"));
  const started = [
    { id: "a", call: "c2" },
    { id: "b", call: "c1" },
  ];
  expect(texts(withChildren(main, children, { started }))).toEqual([
    "the same",
    "b",
    "the same",
    "a",
  ]);
});

it("a subagent that goes on after its parent's answer stands below its call all the same", () => {
  const before = withChildren(BOTH, [
    { id: "b", story: of(asked("the first part"), said("first, begun")) },
    { id: "a", story: of(asked("the second part"), said("second, begun")) },
  ]);
  const later = withChildren(
    of(start("c3", "a third part"), said("All done.")),
    [
      { id: "a", goesOn: true, story: of(said("second, done")) },
      { id: "b", goesOn: true, story: of(said("first, done")) },
    ],
    { before },
  );
  expect(texts(joinStories(before, later))).toEqual([
    "the first part",
    "first, begun",
    "first, done",
    "the second part",
    "second, begun",
    "second, done",
    "Both run.",
    "a third part",
    "All done.",
  ]);
});

it("a subagent of an earlier turn is not taken for one that this turn started", () => {
  const child = { id: "old", goesOn: true, story: of(said("still at it")) };
  const { started_by } = withChildren(of(start("c1", "new")), [child]);
  expect(started_by?.old).toBeUndefined();
});

it("the call may be told before anything is known of its subagent", () => {
  const before = withChildren(BOTH, [], { started: [{ id: "x", call: "c1" }] });
  const later = withChildren(of(), [{ id: "x", story: of(said("begun")) }], { before });
  expect(texts(joinStories(before, later)).slice(0, 2)).toEqual(["the first part", "begun"]);
});

it("nothing is told twice or lost, even where calls are said to have started each other", () => {
  const odd: ToldStory = {
    entries: [
      { ...start("c1", "one"), child: "a" },
      { ...start("c2", "two"), child: "b" },
      said("end"),
    ],
    started_by: { a: "c2", b: "c1" },
  };
  expect(texts(odd).sort()).toEqual(["end", "one", "two"]);
});
