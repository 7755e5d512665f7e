import { createScanner, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { messageOf } from "../errors/index.ts";
import { isRecord } from "../values/index.ts";

/** What a settings file says: its keys, or what is wrong with it. */
export type Said =
  | { readonly keys: Readonly<Record<string, unknown>> }
  | { readonly fault: string };

/** No setting needs more, and the parser calls itself for each level until there is no room left. */
const DEEPEST = 100;

/** JSON with comments and trailing commas; an empty file says nothing. */
export function readSettingsText(given: string): Said {
  const text = given.replace(/^\uFEFF/, "");
  if (text.trim() === "") return { keys: {} };
  try {
    return isTooDeep(text)
      ? { fault: `more than ${DEEPEST} brackets are open at once` }
      : parsed(text);
  } catch (thrown) {
    return { fault: messageOf(thrown) };
  }
}

function parsed(text: string): Said {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    return { fault: `${printParseErrorCode(first.error)} in line ${line}` };
  }
  return isRecord(value) ? { keys: value } : { fault: "it is not an object" };
}

function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const first = text[scanner.getTokenOffset()];
    if (first === "{" || first === "[") depth++;
    else if (first === "}" || first === "]") depth = Math.max(0, depth - 1);
    if (depth > DEEPEST) return true;
  }
  return false;
}
