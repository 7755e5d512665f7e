import { readShell, SHELL_UNKNOWN } from "../../tools/index.ts";
import type { Call } from "../written-paths.ts";
import type { Grant } from "./grant.ts";
import { notReadOnly } from "./read-only-command.ts";

/**
 * The command that runs instead of the one of a call, in the sandbox of a role that only reads:
 * whatever it tries to change, nothing changes. Undefined: it runs as it is.
 */
export function confined(grant: Grant, call: Call): string | undefined {
  const { command } = call.input;
  if (call.name !== "bash" || typeof command !== "string") return undefined;
  if (grant.access !== "read" || !grant.sandbox?.length) return undefined;
  if (notReadOnly(command, readShell(command), grant.allowCommands) === undefined) return undefined;
  return [...grant.sandbox, command].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Where in a sandbox something can be written, which is gone with it. */
const PASSING = /^(\/dev|\/tmp|\/var\/tmp)(\/|$)/;

/** The first place outside of a sandbox that a command tries to change; it would fail there. */
export function writtenOutside(script: string): string | undefined {
  const { writes } = readShell(script);
  return writes.find(({ path }) => !path.includes(SHELL_UNKNOWN) && !PASSING.test(path))?.path;
}
