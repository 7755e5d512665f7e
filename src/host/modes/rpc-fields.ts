import type { ImageContent } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";

/** What a client sent, before anybody has looked at it. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field that may be left out: then it is nowhere. */
export function optional<const Name extends string, T>(
  fields: Fields,
  name: Name,
  read: (name: Name) => T,
): { readonly [Key in Name]?: T } {
  if (fields[name] === undefined) return {};
  return { [name]: read(name) } as { readonly [Key in Name]?: T };
}

export function oneOf<const T extends string>(
  fields: Fields,
  name: string,
  values: readonly T[],
): T {
  const found = values.find((value) => value === fields[name]);
  if (!found) throw new Error(`"${name}" must be one of: ${values.join(", ")}.`);
  return found;
}

export function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw new Error(`"${name}" must be a string.`);
  return value;
}

export function flag(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== "boolean") throw new Error(`"${name}" must be true or false.`);
  return value;
}

/** The images that come with a message. */
export function imagesIn({ images }: Fields): { readonly images?: ImageContent[] } {
  if (images === undefined) return {};
  if (!Array.isArray(images) || !images.every(isImage)) {
    throw new Error('"images" must be a list of { type: "image", data, mimeType }.');
  }
  return images.length > 0 ? { images } : {};
}

function isImage(value: unknown): value is ImageContent {
  return (
    isRecord(value) &&
    value.type === "image" &&
    typeof value.data === "string" &&
    typeof value.mimeType === "string"
  );
}
