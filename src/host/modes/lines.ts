/** Lines that end with LF and nothing else: other line separators are text inside JSON strings. */
export async function* lines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  // The pieces are joined once the line is complete: a long line comes in thousands of them.
  let pieces: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const [first = "", ...others] = text.split("\n");
    pieces.push(first);
    for (const next of others) {
      yield pieces.join("");
      pieces = [next];
    }
  }
  const rest = pieces.join("") + decoder.decode();
  if (rest !== "") yield rest;
}
