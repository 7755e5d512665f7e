import type { IncomingMessage } from "node:http";

const LARGEST = 400 * 1024 * 1024;

/** All of a request's body. What is too large, or stops coming, is not read to its end. */
export async function readBody(
  request: IncomingMessage,
  silentMs: number,
  largest = LARGEST,
): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  const { socket } = request;
  const giveUp = () => {
    request.destroy(new Error(`its body stopped coming for ${silentMs} ms`));
  };
  socket.setTimeout(silentMs, giveUp);
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > largest) return `too large: more than ${largest} bytes`;
      parts.push(part);
    }
  } finally {
    socket.off("timeout", giveUp);
    // From here on the other side waits for the daemon.
    socket.setTimeout(0);
  }
  return Buffer.concat(parts).toString("utf8");
}
