import { createHash, type Hash } from "node:crypto";
import type { ObjectFormat } from "../repo/repo.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

const HEX_LENGTH = { sha1: 40, sha256: 64 } as const;

export const idLength = (format: ObjectFormat) => HEX_LENGTH[format];
export const zeroId = (format: ObjectFormat) => "0".repeat(HEX_LENGTH[format]);

export function isObjectId(text: string, format: ObjectFormat): boolean {
  return text.length === HEX_LENGTH[format] && /^[0-9a-f]+$/.test(text);
}

/** What git puts before the content of an object, both where it hashes and where it stores. */
export function objectHeader(type: ObjectType, size: number): Buffer {
  return Buffer.from(`${type} ${size}\0`, "latin1");
}

/** A hash that has seen the header already. */
export function objectHash(format: ObjectFormat, type: ObjectType, size: number): Hash {
  return createHash(format).update(objectHeader(type, size));
}

export function objectIdOf(format: ObjectFormat, type: ObjectType, content: Uint8Array): string {
  return objectHash(format, type, content.byteLength).update(content).digest("hex");
}
