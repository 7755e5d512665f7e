import { expect, test } from "vitest";
import type { Component } from "../../terminal/index.ts";
import { Transcript } from "./transcript.ts";

let drawn = 0;

function block(name: string, count: number): Component & { count: number } {
  return {
    count,
    render() {
      drawn++;
      return Array.from({ length: this.count }, (_, index) => `${name}${index}`);
    },
    invalidate() {},
  };
}

function long(blocks: number) {
  const transcript = new Transcript();
  for (let at = 0; at < blocks; at++) transcript.add(block(`b${at}:`, 10));
  return transcript;
}

test("the end is followed, and only what is seen is drawn", () => {
  const transcript = long(1000);
  drawn = 0;
  expect(transcript.window(80, 12)).toEqual(
    ["b998:8", "b998:9"].concat(Array.from({ length: 10 }, (_, at) => `b999:${at}`)),
  );
  expect(drawn).toBe(2);
});

test("the end from a block on can be had, whatever is seen, and only that is drawn", () => {
  const transcript = long(1000);
  transcript.window(80, 12);
  transcript.toStart();
  drawn = 0;
  expect(transcript.tail(997, 80, 500)).toHaveLength(30);
  expect(transcript.tail(0, 80, 25)[0]).toBe("b997:5");
  expect(drawn).toBe(6);
  expect(transcript.window(80, 12)[0]).toBe("b0:0");
});

test("while somebody reads further up, nothing moves and new lines are counted", () => {
  const transcript = long(20);
  transcript.window(80, 12);
  transcript.scrollBy(-25);
  const reading = transcript.window(80, 12);
  expect(reading[0]).toBe("b16:3");
  const last = block("new:", 4);
  transcript.add(last);
  last.count = 7;
  expect(transcript.window(80, 12)).toEqual(reading);
  expect(transcript.newLines()).toBe(7);
  transcript.toEnd();
  expect(transcript.window(80, 12).at(-1)).toBe("new:6");
  expect(transcript.newLines()).toBe(0);
});

test("scrolling down to the end follows it again", () => {
  const transcript = long(5);
  transcript.window(80, 12);
  transcript.page(-1);
  transcript.window(80, 12);
  transcript.page(1);
  transcript.page(1);
  transcript.window(80, 12);
  expect(transcript.isFollowing).toBe(true);
});

test("one goes from prompt to prompt", () => {
  const transcript = new Transcript();
  const prompts = [block("p0:", 2), block("p1:", 2)];
  for (const prompt of prompts) {
    transcript.add(prompt);
    transcript.add(block("a:", 30));
  }
  const isPrompt = (one: Component) => prompts.some((prompt) => prompt === one);
  transcript.window(80, 10);
  transcript.jump(-1, isPrompt);
  expect(transcript.window(80, 10)[0]).toBe("p1:0");
  transcript.jump(-1, isPrompt);
  expect(transcript.window(80, 10)[0]).toBe("p0:0");
  transcript.jump(1, isPrompt);
  expect(transcript.window(80, 10)[0]).toBe("p1:0");
});

test("what is shorter than the screen is shown from its beginning", () => {
  const transcript = new Transcript();
  transcript.add(block("a", 3));
  expect(transcript.window(80, 10)).toEqual(["a0", "a1", "a2"]);
  transcript.scrollBy(-5);
  expect(transcript.window(80, 10)).toEqual(["a0", "a1", "a2"]);
  expect(transcript.isFollowing).toBe(true);
});

test("a text is found further up, marked, and found again further down", () => {
  const transcript = new Transcript();
  for (let at = 0; at < 100; at++)
    transcript.add({ render: () => [`\u001b[31mrow\u001b[39m ${at}`], invalidate() {} });
  transcript.window(20, 10);
  expect(transcript.search("ROW 42", -1)).toBe(true);
  expect(transcript.window(20, 10)).toContain("\u001b[7mrow 42\u001b[27m");
  expect(transcript.search("row 42", -1)).toBe(false);
  expect(transcript.search("row 4", -1)).toBe(true);
  const [first] = transcript.window(20, 10).filter((line) => line.includes("\u001b[7m"));
  expect(first).toContain("row 4");
  transcript.search("row 7", -1);
  transcript.search("row 7", -1);
  expect(transcript.search("row 7", 1)).toBe(true);
  expect(transcript.window(20, 10).join()).toContain("\u001b[7mrow 7\u001b[27m9");
  transcript.endSearch();
  expect(transcript.window(20, 10).join()).not.toContain("\u001b[7m");
});
