import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Lines } from "./lines.ts";

function piped(...texts: string[]) {
  return withInput(new PassThrough(), ...texts);
}

function withInput(input: PassThrough & { readonly isTTY?: boolean }, ...texts: string[]) {
  const output = new PassThrough();
  const said: string[] = [];
  output.on("data", (chunk: Buffer) => said.push(String(chunk)));
  for (const text of texts) input.write(text);
  return { input, said, lines: new Lines(input, output) };
}

it("answers come in the order they were given, however they arrive", async () => {
  const { lines, said } = piped("one\ntw", "o\nthree\n");
  expect([await lines.ask("1? "), await lines.ask("2? "), await lines.ask("3? ")]).toEqual([
    "one",
    "two",
    "three",
  ]);
  expect(said.join("")).toBe("1? 2? 3? ");
  lines.close();
});

it("there is no answer when the input has ended", async () => {
  const { input, lines } = piped("one\n");
  input.end();
  expect([await lines.ask("?"), await lines.ask("?"), await lines.ask("?")]).toEqual([
    "one",
    undefined,
    undefined,
  ]);
});

it("a question that is given up takes no answer from the next one", async () => {
  const { input, lines } = piped();
  const controller = new AbortController();
  const first = lines.ask("1? ", controller.signal);
  controller.abort();
  expect(await first).toBeUndefined();
  expect(await lines.ask("again? ", controller.signal)).toBeUndefined();
  const second = lines.ask("2? ");
  input.write("for the second\n");
  expect(await second).toBe("for the second");
  lines.close();
});

it("on a terminal, what was typed for a question that somebody else answered is dropped", async () => {
  const { input, said, lines } = withInput(Object.assign(new PassThrough(), { isTTY: true }));
  const controller = new AbortController();
  const first = lines.ask("delete it? ", controller.signal);
  input.write("y");
  await sleep(20);
  controller.abort();
  lines.interject(() => said.push("[closed]"));
  expect(await first).toBeUndefined();
  // What is said then does not stand behind the question.
  expect(said.join("")).toMatch(/\n\[closed\]$/);
  const second = lines.ask("push it? ");
  input.write("\r");
  expect(await second).toBe("");
  lines.close();
});

it("on a terminal, what is said meanwhile gets a line of its own, and the question comes again", async () => {
  const { input, said, lines } = withInput(Object.assign(new PassThrough(), { isTTY: true }));
  const asked = lines.ask("delete it? ");
  input.write("ye");
  await sleep(20);
  lines.interject(() => said.push("[notice]\n"));
  await sleep(20);
  expect(said.join("")).toMatch(/delete it\? .*ye.*\n\[notice\]\n.*delete it\? ye/s);
  input.write("s\r");
  expect(await asked).toBe("yes");
  lines.close();
});
