import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { isRecord } from "../../values/index.ts";

export const editSchema = Type.Object(
  {
    path: Type.String({
      description: "The file to change, absolute or relative to the working folder",
    }),
    edits: Type.Array(
      Type.Object(
        {
          oldText: Type.String({
            description:
              "The text to replace, exactly as in the file, long enough to be there only once",
          }),
          newText: Type.String({ description: "What to put in its place" }),
        },
        { additionalProperties: false },
      ),
      {
        description:
          "The replacements. Each is looked up in the file as it is now, so they must not overlap; merge those that touch the same lines.",
      },
    ),
  },
  { additionalProperties: false },
);

export type EditToolInput = Static<typeof editSchema>;

/** Models also send one edit without the list, or the list as JSON in a string. */
export function prepareEditArguments(args: unknown): EditToolInput {
  const prepared = isRecord(args) ? withEditList(args) : args;
  if (Value.Check(editSchema, prepared)) return prepared;
  const [problem] = Value.Errors(editSchema, prepared);
  const detail = problem ? ` (${problem.instancePath || "input"} ${problem.message})` : "";
  throw new Error(`edit needs { path, edits: [{ oldText, newText }] }${detail}.`);
}

function withEditList(args: Record<string, unknown>): Record<string, unknown> {
  const { oldText, newText, ...rest } = args;
  const given = typeof rest.edits === "string" ? parsed(rest.edits) : rest.edits;
  if (oldText === undefined && newText === undefined) return { ...rest, edits: given };
  return { ...rest, edits: [...(Array.isArray(given) ? given : []), { oldText, newText }] };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
