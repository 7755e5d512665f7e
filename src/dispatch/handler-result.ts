import type { TObject, TSchema } from "typebox";
import { messageOf, SeamError } from "../errors/index.ts";
import { type Declaration, mismatch } from "../events/index.ts";
import { isPlainObject, takePlain, Unusable } from "./plain.ts";

/** What one call of a handler came to. */
export type HandlerResult =
  | { readonly said: "nothing" }
  | { readonly said: "result"; readonly result: unknown }
  | { readonly said: "failure"; readonly error: SeamError }
  | { readonly said: "aborted" }
  /** The extension is gone: the handler was not called. */
  | { readonly said: "skipped" };

export const NOTHING: HandlerResult = { said: "nothing" };
export const ABORTED: HandlerResult = { said: "aborted" };
export const SKIPPED: HandlerResult = { said: "skipped" };

interface Origin {
  readonly path: string;
}

/** Reads what a handler returned: dialects, nonsense, things that cannot be stored. */
export function readResult(
  declaration: Declaration,
  owner: Origin,
  returned: unknown,
): HandlerResult {
  const { name, kind, result: schema, dialect } = declaration;
  if (kind === "observe" || schema === undefined) return NOTHING;
  // `event => condition && { … }` says nothing when the condition fails. Where any value is an
  // answer (before_provider_request), only undefined means silence.
  const silent = "type" in schema || "anyOf" in schema ? !returned : returned === undefined;
  if (silent) return NOTHING;
  try {
    const taken = takeResult(schema, returned);
    const result = dialect ? dialect(taken) : taken;
    // In another dialect it said that it has nothing to say.
    if (result === undefined) return NOTHING;
    const problem = mismatch(schema, result);
    return problem === undefined ? { said: "result", result } : nonsense(name, owner, problem);
  } catch (thrown) {
    return nonsense(name, owner, messageOf(thrown));
  }
}

/** A plain copy of a result, also of one that is an instance of some class. */
function takeResult(schema: TSchema, returned: unknown): unknown {
  if (!isObjectSchema(schema) || isPlainObject(returned) || Array.isArray(returned)) {
    return takePlain(returned);
  }
  if (typeof returned !== "object" || returned === null) return returned;
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(schema.properties)) {
    const value: unknown = Reflect.get(returned, key);
    if (value !== undefined) fields[key] = value;
  }
  if (Object.keys(fields).length === 0) throw new Unusable("it is not a result of this event");
  return takePlain(fields);
}

function isObjectSchema(schema: TSchema): schema is TObject {
  return "properties" in schema;
}

export function nonsense(event: string, owner: Origin, detail: string): HandlerResult {
  return {
    said: "failure",
    error: new SeamError("SEAM_HANDLER_RESULT", { path: owner.path, event, detail }),
  };
}

export function threw(event: string, owner: Origin, thrown: unknown): HandlerResult {
  // A stale or unbound call inside a handler already explains itself, and names the extension.
  if (isSeamError(thrown) && thrown.details.path === owner.path) {
    return { said: "failure", error: thrown };
  }
  const details = { path: owner.path, event, detail: messageOf(thrown) };
  return {
    said: "failure",
    error: new SeamError("SEAM_HANDLER_THREW", details, { cause: thrown }),
  };
}

function isSeamError(thrown: unknown): thrown is SeamError {
  try {
    return thrown instanceof SeamError;
  } catch {
    // Even asking can throw: a revoked proxy does.
    return false;
  }
}

export function late(event: string, owner: Origin, ms: number): HandlerResult {
  return {
    said: "failure",
    error: new SeamError("SEAM_HANDLER_TIMEOUT", { path: owner.path, event, ms }),
  };
}
