import { expect, it, vi } from "vitest";
import { AfterAnswers } from "./after-answers.ts";

it("what comes after answers waits for a moment, and is done in its order", async () => {
  const after = new AfterAnswers();
  const done: number[] = [];
  for (const number of [1, 2, 3]) after.add(() => done.push(number));
  await Promise.resolve();
  expect(done).toEqual([]);
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]));
  after.add(() => done.push(4));
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3, 4]));
});

it("whoever comes next finds it done, once", async () => {
  const after = new AfterAnswers();
  const done: number[] = [];
  after.add(() => done.push(1));
  after.catchUp();
  expect(done).toEqual([1]);
  after.add(() => done.push(2));
  after.catchUp();
  after.catchUp();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(done).toEqual([1, 2]);
});
