import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { answerHeaders, type Caller } from "./caller.ts";

/**
 * A ring as Seam's own clients write it: the same few lines each time, in one piece, on a connection
 * that is used once. Nearly every hook comes this way, and an agent waits for it: it is read as it
 * stands, which takes a small part of what it takes to read it as HTTP of any kind.
 */
export interface PlainRing {
  /** Of the payload's file, and where the payload came along also its time. */
  readonly name: string;
  readonly token: string;
  readonly cwd: string;
  /** The payload, if it came along. */
  readonly text?: string;
}

const SHAPE =
  /^POST \/v1\/ring\/([\w.~-]+(?:@\d+)?) HTTP\/1\.0\r\nHost: seam\r\nx-seam-token: (\w+)\r\nx-seam-cwd: ([^\r\n]*)\r\nContent-Length: (\d+)\r\n\r\n$/;
const HEAD_END = "\r\n\r\n";
/** Room for the longest path of a folder, and for the rest of the ring. */
const LONGEST_HEAD = 6_000;

/** Undefined for everything else, also for a ring of which only a part has come. */
export function plainRing(bytes: Buffer): PlainRing | undefined {
  const end = bytes.indexOf(HEAD_END) + HEAD_END.length;
  if (end < HEAD_END.length || end > LONGEST_HEAD) return undefined;
  const [, name, token, cwd, length] = SHAPE.exec(bytes.toString("utf8", 0, end)) ?? [];
  if (name === undefined || token === undefined || cwd === undefined) return undefined;
  if (Number(length) !== bytes.length - end) return undefined;
  if (!name.includes("@")) return length === "0" ? { name, token, cwd } : undefined;
  return { name, token, cwd, text: bytes.toString("utf8", end) };
}

/** Whoever rang that way. */
export function plainCaller(socket: Socket): Caller {
  return {
    answer: (answer) => {
      // Whoever asked is gone.
      if (socket.destroyed) return Promise.resolve(false);
      const body = Buffer.from(answer.stdout);
      return new Promise((resolve) => {
        socket.once("finish", () => resolve(true));
        socket.once("close", () => resolve(false));
        send(socket, 200, answerHeaders(answer, body), body);
      });
    },
    refuse: (status, why) => {
      const body = Buffer.from(`${why}\n`);
      const headers = { "content-type": "text/plain; charset=utf-8" };
      send(socket, status, { ...headers, "content-length": String(body.length) }, body);
    },
    leave: () => socket.destroy(),
    whenOver: (hear) => socket.once("close", hear),
  };
}

function send(
  socket: Socket,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): void {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nconnection: close\r\n`;
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`), body]));
}
