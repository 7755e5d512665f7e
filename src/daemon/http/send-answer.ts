import type { ServerResponse } from "node:http";
import type { Answer } from "../../agents/index.ts";

const LONGEST_ERROR = 8_000;

/**
 * An answer as clients understand it: the body goes to stdout; exit code and stderr are headers.
 * stderr is written so that a shell's printf can read it. Resolves when the answer has left, or cannot.
 */
export function sendAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  // Whoever asked is gone: nothing would ever be told of this response again.
  if (response.closed) return Promise.resolve();
  const body = Buffer.from(answer.stdout);
  response.writeHead(200, {
    "content-type": "application/octet-stream",
    "content-length": body.length,
    "x-seam-exit": String(answer.exitCode),
    ...(answer.stderr && { "x-seam-stderr": escaped(answer.stderr.slice(0, LONGEST_ERROR)) }),
  });
  return new Promise((resolve) => {
    response.once("finish", resolve);
    response.once("close", resolve);
    response.end(body);
  });
}

/** Octal for everything that is not a plain character. */
function escaped(text: string): string {
  let written = "";
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte);
    written += PLAIN.test(character) ? character : `\\0${byte.toString(8).padStart(3, "0")}`;
  }
  return written;
}

const PLAIN = /[\w.,:;/()'"=+-]/;
