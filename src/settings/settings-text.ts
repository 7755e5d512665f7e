import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";

/** What a settings file says: its keys, or what is wrong with it. */
export type Said =
  | { readonly keys: Readonly<Record<string, unknown>> }
  | { readonly fault: string };

/** JSON with comments and trailing commas; an empty file says nothing. */
export function readSettingsText(given: string): Said {
  const text = given.replace(/^\uFEFF/, "");
  if (text.trim() === "") return { keys: {} };
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    return { fault: `${printParseErrorCode(first.error)} in line ${line}` };
  }
  return isObject(value) ? { keys: value } : { fault: "it is not an object" };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
