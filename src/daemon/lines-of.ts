/** The lines of a stream as they come. Unlike readline it also ends when the stream is torn down. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const part of stream) {
    rest = Buffer.concat([rest, part]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
    }
  }
}

const NEWLINE = 0x0a;
