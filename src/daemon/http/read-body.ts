import type { IncomingMessage } from "node:http";

const LARGEST = 400 * 1024 * 1024;

/** All of a request's body. What is too large is not read to its end. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST) return `too large: more than ${LARGEST} bytes`;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
