import { atMost, type Case, median } from "../frame.ts";
import { inChild } from "./child.ts";
import { smallRound, type Transcript } from "./write-transcript.ts";

const ROUNDS = 5;
/** How often something is appended in one process; the last time is measured. */
const TIMES = 4;

/** What a hook has to read at the end of a turn. */
export async function* appendedCases(
  { path, outputTokens }: Transcript,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("10 KB more");
  const times: number[] = [];
  const read: number[] = [];
  let expected = outputTokens;
  for (let round = 0; round < ROUNDS; round++) {
    const rounds = Array.from({ length: TIMES }, (_, time) =>
      smallRound(1e9 + round * TIMES + time),
    );
    const append = rounds.map(({ text }) => text);
    for (const { outputTokens: more } of rounds) expected += more;
    const { appended } = await inChild({ way: "Seam", path, append });
    if (appended?.outputTokens !== expected) throw new Error("Seam found other tokens.");
    times.push(appended.ms);
    read.push(appended.bytesRead);
  }
  yield atMost({
    name: "the same after 10 KB were appended",
    value: median(times),
    bar: 10,
    unit: "ms",
    detail: [{ name: "bytes read", value: median(read), unit: "B" }],
  });
}
