import { ERRORS } from "../../src/errors/index.ts";
import { code, table } from "./markdown.ts";

/** docs/errors.md: every code, what it says and what to do. */
export function errorsPage(): string {
  return [
    "# Errors",
    "",
    "This page is written by `npm run docs` from `src/errors/codes.ts`.",
    "",
    "Every error Seam raises is a `SeamError` with a stable `code`, a `message` and a `next` step.",
    "Words in braces are filled in.",
    "",
    ...table(
      ["code", "what happened", "what to do"],
      Object.entries(ERRORS).map(([name, { what, next }]) => [code(name), code(what), code(next)]),
    ),
    "",
  ].join("\n");
}
