import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import { isRecord } from "../../values/index.ts";

// Loaded with the first head there is: most runs see none.
let yaml: typeof Yaml | undefined;

function parse(text: string): unknown {
  yaml ??= createRequire(import.meta.url)("yaml") as typeof Yaml;
  return yaml.parse(text);
}

export interface Frontmatter<T> {
  frontmatter: T;
  body: string;
}

const FENCED = /^---[ \t]*\r?\n((?:[\s\S]*?\r?\n)??)---[ \t]*(?:\r?\n|$)/;

/** The YAML head of a Markdown file and the rest. Without a head, or with a broken one: no fields. */
export function parseFrontmatter<T extends Record<string, unknown> = Record<string, unknown>>(
  content: string,
): Frontmatter<T> {
  const match = FENCED.exec(content.replace(/^\uFEFF/, ""));
  if (!match) return { frontmatter: {} as T, body: content };
  const body = content.replace(/^\uFEFF/, "").slice(match[0].length);
  try {
    const fields: unknown = parse(match[1] ?? "");
    return { frontmatter: (isRecord(fields) ? fields : {}) as T, body };
  } catch {
    return { frontmatter: {} as T, body };
  }
}

/** A Markdown text without its YAML head. */
export function stripFrontmatter(content: string): string {
  return parseFrontmatter(content).body;
}
