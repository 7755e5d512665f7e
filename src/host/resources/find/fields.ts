import type { MarkdownFile } from "./find-markdown.ts";

type Fields = MarkdownFile["fields"];

/** A field's text; undefined if it is something else or blank. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** A field that may hold one text or a list of them. */
export function listField(fields: Fields, name: string): string[] {
  const value = fields[name];
  const all = Array.isArray(value) ? value : [value];
  return all.filter((item): item is string => typeof item === "string" && item !== "");
}
