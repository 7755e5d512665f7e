import fc from "fast-check";
import { type RawPath, rawPath } from "../paths/raw-path.ts";

/** Names that meet each other often, and odd ones: for sorting, folders against files, encodings. */
const NAMES = ["a", "a-", "a.", "a0", "b", "b c", '"', "\n", "\\x", "caf\xe9", "\xff", "ü"];

const name = fc.constantFrom(...NAMES).map((text) => Buffer.from(text, "latin1"));

export const anyPath: fc.Arbitrary<RawPath> = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((parts) =>
    rawPath(Buffer.concat(parts.flatMap((part) => [Buffer.from("/"), part]).slice(1))),
  );
