import { isRecord } from "../../values/index.ts";
import type { Keys } from "./keys.ts";

const TYPES: Readonly<Record<string, object>> = {
  string: { type: "string" },
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
};

/**
 * `result:` as a JSON schema, or short: `{ approved: boolean, files: string[], kind: bug | feature }`.
 * In the short form every field is required, since some agents accept no other schemas.
 */
export function resultSchema(keys: Keys): object | undefined {
  const value = keys.record("result");
  if (value === undefined) return undefined;
  if (typeof value.type === "string" && ("properties" in value || "items" in value)) return value;
  const schema = objectOf(value);
  if (typeof schema !== "string") return schema;
  const kinds = `${Object.keys(TYPES).join(", ")}, a list as "string[]", or words as "a | b"`;
  keys.problems.error(
    keys.line("result"),
    `"${schema}" is no type of a result: ${kinds}.`,
    schema,
    Object.keys(TYPES),
  );
  return undefined;
}

/** The schema, or the word in it that is no type. */
function objectOf(fields: Readonly<Record<string, unknown>>): object | string {
  const properties: Record<string, object> = {};
  for (const [name, said] of Object.entries(fields)) {
    const type = isRecord(said) ? objectOf(said) : typeOf(String(said).trim());
    if (typeof type === "string") return type;
    properties[name] = type;
  }
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  };
}

function typeOf(word: string): object | string {
  if (word.endsWith("[]")) {
    const items = typeOf(word.slice(0, -2));
    return typeof items === "string" ? items : { type: "array", items };
  }
  if (word.includes("|")) {
    return { type: "string", enum: word.split("|").map((one) => one.trim()) };
  }
  return Object.hasOwn(TYPES, word) ? (TYPES[word] ?? word) : word;
}
