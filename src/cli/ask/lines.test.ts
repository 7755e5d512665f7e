import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { Lines } from "./lines.ts";

function piped(...texts: string[]) {
  const input = new PassThrough();
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
