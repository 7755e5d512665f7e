import type { TSchema } from "typebox";
import { mismatch } from "../events/index.ts";

type Args = Record<string, unknown>;

/** The arguments as the tool wants them, or why they cannot be used. */
export async function checkArguments(
  schema: TSchema,
  args: Args,
): Promise<{ args: Args } | { problem: string }> {
  const problem = mismatch(schema, args);
  if (problem === undefined) return { args };
  // Models write "5" for 5 and "true" for true; what converts cleanly is meant that way.
  const { Value } = await import("typebox/value");
  const converted: unknown = Value.Convert(schema, structuredClone(args));
  if (mismatch(schema, converted) === undefined) return { args: converted as Args };
  return { problem };
}
