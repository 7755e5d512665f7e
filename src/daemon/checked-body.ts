import type { Static } from "typebox";
import { Value } from "typebox/value";
import { usageError } from "../errors/index.ts";

/** What a client sent, if it has the shape that is asked for. */
export function checkedBody<Schema extends Parameters<typeof Value.Check>[1]>(
  schema: Schema,
  body: unknown,
): Static<Schema> {
  if (Value.Check(schema, body)) return body;
  const [first] = Value.Errors(schema, body);
  const detail = `${first?.instancePath ?? ""} ${first?.message ?? "it is no JSON"}`.trim();
  throw usageError(
    `The daemon does not understand what it is asked: ${detail}.`,
    "If Seam was updated while it ran, end the daemon of before: seam daemon stop",
  );
}
