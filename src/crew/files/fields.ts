import { createRequire } from "node:module";
import type * as Yaml from "yaml";

// Loaded with the first file that is read: most commands about crews read none.
let yaml: typeof Yaml | undefined;

function yamlIn(text: string): { value: unknown } {
  yaml ??= createRequire(import.meta.url)("yaml") as typeof Yaml;
  return yaml.parse(text, { logLevel: "error", maxAliasCount: 10 });
}

/** One `key: value` of a file, with the line it begins on. */
export interface Field {
  readonly key: string;
  readonly line: number;
  readonly value: unknown;
}

interface Fault {
  readonly line: number;
  readonly text: string;
}

export interface ReadFields {
  readonly fields: readonly Field[];
  readonly faults: readonly Fault[];
  /** How many of the lines belong to the fields. */
  readonly taken: number;
}

const KEY = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/;

/** The key that a line begins a field with. */
export const keyIn = (line: string) => KEY.exec(line)?.[1];

/**
 * Reads fields one by one, each as YAML: one that is not valid YAML does not take the others with
 * it, and on one line it is the text it is. pi-crew and Claude Code read their own files that way,
 * so descriptions with colons and lists of globs are common in them.
 *
 * `until: "blank"` stops at the first empty line, or at the first that can be no field.
 */
export function readFields(
  lines: readonly string[],
  firstLine: number,
  until: "blank" | "end",
): ReadFields {
  const fields: Field[] = [];
  const faults: Fault[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const key = keyIn(line);
    if (key === undefined) {
      if (until === "blank") break;
      if (line.trim() !== "" && !line.trimStart().startsWith("#")) {
        faults.push({
          line: firstLine + at,
          text: `"${line.trim()}" is not of the form "key: value".`,
        });
      }
      at++;
      continue;
    }
    const end = endOfField(lines, at, until);
    const read = readValue(lines.slice(at, end), key);
    if ("fault" in read)
      faults.push({ line: firstLine + at, text: `"${key}" cannot be read: ${read.fault}` });
    else fields.push({ key, line: firstLine + at, value: read.value });
    at = end;
  }
  return { fields, faults, taken: at };
}

/** Lines that are indented, or are the items of a list, belong to the key before them. */
function endOfField(lines: readonly string[], start: number, until: "blank" | "end"): number {
  const isOpen = /:[ \t]*$/.test(lines[start] ?? "");
  let end = start + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      if (until === "blank") break;
      continue;
    }
    if (!/^[ \t]/.test(line) && !(isOpen && /^-(\s|$)/.test(line))) break;
    end = at + 1;
  }
  return end;
}

function readValue(lines: readonly string[], key: string): { value: unknown } | { fault: string } {
  const [first = "", ...more] = lines;
  const rest = first.slice(key.length + 1);
  // "{item}" stands for an item, and is not a map in YAML's short form.
  if (more.length === 0 && /^\s*\{[\w.]+\}/.test(rest)) return { value: rest.trim() };
  try {
    const text = ["value:".concat(rest), ...more].join("\n");
    const parsed = yamlIn(text);
    return { value: parsed.value ?? undefined };
  } catch (error) {
    if (more.length === 0) return { value: rest.trim() };
    const message = error instanceof Error ? error.message : String(error);
    return { fault: message.split("\n")[0] ?? "" };
  }
}
