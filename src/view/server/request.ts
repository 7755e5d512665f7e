import type { IncomingMessage } from "node:http";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { SeamError } from "../../errors/index.ts";

/** Longer than any answer that a person types, with room for a file that is edited. */
const MOST_BODY = 2 * 1024 * 1024;
const MOST_LIMIT = 500;
const USUAL_LIMIT = 100;
/** A page has its request ready before it connects. */
const BODY_SILENT_MS = 10_000;

const word = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const optional = (maxLength: number) => Type.Optional(word(maxLength));
const number = Type.Optional(Type.String({ pattern: "^\\d{1,9}$" }));
const key = Type.Optional(Type.String({ pattern: "^\\d{1,15}\\.\\d{1,6}$" }));
const session = { agent: word(100), session: word(300) };

/** What stands in the query of each request. */
export const QUERIES = {
  session: Type.Object(session),
  turn: Type.Object({ ...session, key }),
  entries: Type.Object({
    ...session,
    child: optional(300),
    before: key,
    after: key,
    around: key,
    at: number,
    line: number,
    limit: number,
  }),
  entry: Type.Object({
    ...session,
    child: optional(300),
    key: Type.String({ pattern: "^\\d{1,15}\\.\\d{1,6}$" }),
    n: number,
  }),
  log: Type.Object({
    repository: word(4096),
    branch: optional(300),
    commit: optional(200),
    session: optional(300),
    cursor: optional(60),
    limit: number,
  }),
  checkpoint: Type.Object({ repository: word(4096), id: word(200) }),
  diff: Type.Object({
    repository: word(4096),
    checkpoint: optional(200),
    turn: optional(200),
    commit: optional(200),
  }),
  project: Type.Object({ project: optional(4096) }),
};

/** What the page sent, if it has the shape that is asked for. */
export function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  const detail = `${first?.instancePath ?? ""} ${first?.message ?? "it has another shape"}`.trim();
  throw new SeamError("SEAM_VIEW_REQUEST", { detail });
}

/** How many are asked for, within bounds. */
export function limitOf(limit: string | undefined): number {
  return Math.max(1, Math.min(MOST_LIMIT, Number(limit ?? USUAL_LIMIT)));
}

/** The body of a request as JSON. What is too large, or stops coming, is not read to its end. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const tooLarge = () => new SeamError("SEAM_VIEW_LARGE", { bytes: MOST_BODY });
  if (Number(request.headers["content-length"] ?? 0) > MOST_BODY) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  const { socket } = request;
  const giveUp = () => request.destroy(new Error("its body stopped coming"));
  socket.setTimeout(BODY_SILENT_MS, giveUp);
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MOST_BODY) throw tooLarge();
      parts.push(part);
    }
  } finally {
    socket.off("timeout", giveUp);
    socket.setTimeout(0);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new SeamError("SEAM_VIEW_REQUEST", { detail: "it is not JSON" });
  }
}
