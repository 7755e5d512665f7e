import { SeamError } from "../../errors/index.ts";

/** What git forbids anywhere in the name of a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is forbidden
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$/;

/** A full name such as `refs/seam/turns/x`, or one of git's own such as `HEAD`. */
export function isRefName(name: string): boolean {
  if (/^[A-Z][A-Z_]*$/.test(name)) return true;
  if (!name.startsWith("refs/") || FORBIDDEN.test(name)) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Throws for a name that git does not allow. This also keeps names from leading out of the refs folder. */
export function checkRefName(name: string): void {
  if (isRefName(name)) return;
  throw new SeamError("SEAM_GIT_NAME", {
    name: JSON.stringify(name),
    detail: "it is not the name of a reference",
  });
}
