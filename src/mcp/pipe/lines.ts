const NEWLINE = 0x0a;

/** The lines of a stream. Bytes are put together once for each line, however many pieces it has. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const part of stream) {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
      pieces.push(part.subarray(from, end));
      yield Buffer.concat(pieces).toString("utf8").replace(/\r$/, "");
      pieces = [];
      from = end + 1;
    }
    if (from < part.length) pieces.push(part.subarray(from));
  }
}
