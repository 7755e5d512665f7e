import type { Frame } from "./walk-json.ts";

/**
 * How a string is searched.
 * - all: everything.
 * - named: what has a known shape or a name; no guess from randomness.
 * - whole: not at all, unless the whole string is one known secret.
 */
export type Search = "all" | "named" | "whole";

/**
 * The model's provider checks these, byte for byte, when a session goes on: signed or encrypted
 * reasoning of all agents.
 */
const SEALED = /signature$|encrypted|^redacted_?content$|opaque$/i;

/** Ids, and what else is made of random characters without being a secret. */
const ID = /(?:^|[-_])(?:id|ids|uuid|uuids|guid)$|(?:Id|Ids|ID|IDs|Uuid|Uuids|UUID|UUIDs|Guid)$/;
const FACT =
  /^(?:type|subtype|role|model|version|cwd|slug|snapshot|revision|commit|ref|nonce)$|timestamp$|time$|(?:sha|sha\d+|hash|checksum|integrity|digest|etag|fingerprint)$|_at$|At$/i;
const PATH = /(?:path|paths|file|files|filename|dir|directory|root|cwd|uri|url|workspace)$/i;

/** Data in base64 is one unbroken run. Text under the same key is searched. */
const BLOB = /^[A-Za-z0-9+/_=:;,.-]*$/;

/** What may be done to the strings under this key. */
export function searchOf(frame: Frame, text: string): Search {
  const { key } = frame;
  const isSealed = SEALED.test(key) || isData(frame) || text.startsWith("data:");
  if (isSealed) return BLOB.test(text) ? "whole" : "named";
  return ID.test(key) || FACT.test(key) || PATH.test(key) ? "named" : "all";
}

/** The bytes of a picture or document, and Claude's hidden thinking. */
function isData({ key, type, hasMediaType }: Frame): boolean {
  if (key !== "data") return false;
  return hasMediaType || type === "redacted_thinking" || type === "image" || type === "base64";
}
