import { FORMATS } from "./formats.ts";

/** What stands where a secret was. It says the kind and nothing about the value. */
export const tokenFor = (kind: string) => `[REDACTED:${kind}]`;

const OTHER_KINDS = [
  "private-key",
  "url-credentials",
  "authorization",
  "cookie",
  "credential",
  "random",
  "environment",
  "own-pattern",
  "aws-secret-key",
  "secretlint",
];

export const KINDS: readonly string[] = [
  ...new Set([...FORMATS.map(({ kind }) => kind), ...OTHER_KINDS]),
];

/** Only kinds that exist: a text in brackets that merely looks alike is searched like any other. */
export const TOKEN = new RegExp(`\\[REDACTED:(?:${KINDS.join("|")})\\]`, "g");
