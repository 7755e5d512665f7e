import type { Static } from "typebox";
import { Value } from "typebox/value";
import { SeamError } from "../errors/index.ts";

/** What a client sent, if it has the shape that is asked for. */
export function checkedBody<Schema extends Parameters<typeof Value.Check>[1]>(
  schema: Schema,
  body: unknown,
): Static<Schema> {
  if (Value.Check(schema, body)) return body;
  const [first] = Value.Errors(schema, body);
  const detail = `${first?.instancePath ?? ""} ${first?.message ?? "it is no JSON"}`.trim();
  throw new SeamError("SEAM_USAGE", { detail: `This cannot be understood: ${detail}.` });
}
