import { messageOf, SeamError } from "../errors/index.ts";
import { type Declaration, mismatch } from "../events/index.ts";
import { unusable } from "./plain.ts";

/** What one call of a handler came to. */
export type Outcome =
  | { readonly said: "nothing" }
  | { readonly said: "result"; readonly result: unknown }
  | { readonly said: "failure"; readonly error: SeamError }
  | { readonly said: "aborted" };

export const NOTHING: Outcome = { said: "nothing" };
export const ABORTED: Outcome = { said: "aborted" };

interface Origin {
  readonly path: string;
}

/** Reads what a handler returned: dialects, nonsense, things that cannot be stored. */
export function readResult(declaration: Declaration, owner: Origin, returned: unknown): Outcome {
  const { name, kind, result: schema, dialect } = declaration;
  if (kind === "observe" || schema === undefined) return NOTHING;
  // `event => condition && { … }` says nothing when the condition fails. Where any value is an
  // answer (before_provider_request), only undefined means silence.
  const silent = "type" in schema || "anyOf" in schema ? !returned : returned === undefined;
  if (silent) return NOTHING;
  try {
    const result = dialect ? dialect(returned) : returned;
    const problem = mismatch(schema, result) ?? unusable(result);
    if (problem === undefined) return { said: "result", result };
    return nonsense(name, owner, problem);
  } catch (thrown) {
    // Getters and proxies in the result can throw while it is looked at.
    return nonsense(name, owner, messageOf(thrown));
  }
}

function nonsense(event: string, owner: Origin, detail: string): Outcome {
  return {
    said: "failure",
    error: new SeamError("SEAM_HANDLER_RESULT", { path: owner.path, event, detail }),
  };
}

export function threw(event: string, owner: Origin, thrown: unknown): Outcome {
  // A stale or unbound call inside a handler already explains itself.
  const error =
    thrown instanceof SeamError
      ? thrown
      : new SeamError(
          "SEAM_HANDLER_THREW",
          { path: owner.path, event, detail: messageOf(thrown) },
          { cause: thrown },
        );
  return { said: "failure", error };
}

export function late(event: string, owner: Origin, ms: number): Outcome {
  return {
    said: "failure",
    error: new SeamError("SEAM_HANDLER_TIMEOUT", { path: owner.path, event, ms }),
  };
}
