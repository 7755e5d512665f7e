import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import { isRecord } from "../../values/index.ts";

// YAML is loaded when the first file with a head is read: most runs read none.
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

/**
 * The YAML head of a Markdown file and the rest. Without a head, or with a broken one: no fields.
 *
 * @example
 * const { frontmatter, body } = parseFrontmatter<{ name?: string }>("---\nname: review\n---\nRead the diff.");
 * console.log(frontmatter.name, body); // review Read the diff.
 */
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

/**
 * A Markdown text without its YAML head.
 *
 * @example
 * stripFrontmatter("---\nname: review\n---\nRead the diff."); // "Read the diff."
 */
export function stripFrontmatter(content: string): string {
  return parseFrontmatter(content).body;
}
