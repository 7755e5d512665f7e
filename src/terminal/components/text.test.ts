import { expect, test } from "vitest";
import { Box } from "./box.ts";
import { Container } from "./container.ts";
import { Spacer } from "./spacer.ts";
import { Text } from "./text.ts";
import { TruncatedText } from "./truncated-text.ts";

const brackets = (text: string) => `\u001b[44m${text}\u001b[49m`;

test("text is wrapped, padded and filled up to the width", () => {
  expect(new Text("one two three", 1, 1).render(9)).toEqual([
    "         ",
    " one two ",
    " three   ",
    "         ",
  ]);
});

test("empty text takes no lines, not even for its padding", () => {
  expect(new Text("  \n ").render(10)).toEqual([]);
});

test("changed text is drawn anew, and lines handed out earlier stay as they were", () => {
  const text = new Text("a", 0, 0);
  const before = text.render(3);
  before.push("mine");
  expect(text.render(3)).toEqual(["a  "]);
  text.setText("b");
  expect(text.render(3)).toEqual(["b  "]);
  text.setCustomBgFn(brackets);
  expect(text.render(3)).toEqual(["\u001b[44mb  \u001b[49m"]);
});

test("padding gives way before the content does", () => {
  expect(new Text("ab", 5, 0).render(3)).toEqual([" a ", " b "]);
});

test("truncated text shows one line only", () => {
  expect(new TruncatedText("hello world\nmore", 1).render(10)).toEqual([" hello... "]);
});

test("a container stacks its children", () => {
  const container = new Container();
  const first = new Text("a", 0, 0);
  container.addChild(first);
  container.addChild(new Spacer(2));
  container.addChild(new Text("b", 0, 0));
  expect(container.render(1)).toEqual(["a", "", "", "b"]);
  container.removeChild(first);
  expect(container.render(1)).toEqual(["", "", "b"]);
  container.clear();
  expect(container.render(1)).toEqual([]);
});

test("a box paints all of its children, and is gone without any", () => {
  const box = new Box(1, 0, brackets);
  expect(box.render(6)).toEqual([]);
  box.addChild(new Text("ab", 0, 0));
  expect(box.render(6)).toEqual(["\u001b[44m ab   \u001b[49m"]);
});
