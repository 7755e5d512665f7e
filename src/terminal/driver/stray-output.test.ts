import { expect, test } from "vitest";
import { StrayOutput } from "./stray-output.ts";

test("what others print is handed over; what tells the terminal something gets through", () => {
  const written: string[] = [];
  const write = (chunk: string | Uint8Array) => {
    written.push(String(chunk));
    return true;
  };
  const streams: [{ write: typeof process.stdout.write }, { write: typeof process.stdout.write }] =
    [{ write }, { write }];
  const taken: string[] = [];
  const stray = new StrayOutput((text) => taken.push(text));
  const through = stray.start(streams);
  streams[0].write("a log\n");
  streams[1].write(Buffer.from("an error\n"));
  streams[0].write("\u001b[2Jcleared");
  streams[0].write("\u001b]777;notify;done\u0007");
  through("the screen");
  expect(taken).toEqual(["a log\n", "an error\n", "\u001b[2Jcleared"]);
  expect(written).toEqual(["\u001b]777;notify;done\u0007", "the screen"]);
  stray.stop();
  streams[1].write("as before");
  expect(written.at(-1)).toBe("as before");
});
