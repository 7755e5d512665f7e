import { posix } from "node:path";
import { importsOf } from "./imports.ts";

/** The rooms of src/, from the ground up: a room may import from those before it. */
export const ROOMS = [
  "values",
  "errors",
  "files",
  "events",
  "dispatch",
  "settings",
  "terminal",
  "tools",
  "extensions",
  "git",
  "agents",
  "record",
  "protection",
  "host",
  "testing",
  "daemon",
  "crew",
  "view",
  "cli",
  "doors",
] as const;

/** Rooms that stand before this one and are still none of its business. */
const STRANGERS: Readonly<Record<string, readonly string[]>> = { agents: ["extensions", "git"] };

/** Paths from src/, with their text. */
export type SourceFiles = Readonly<Record<string, string>>;

/** Every import that breaks the rule of the house, in words. */
export function violations(files: SourceFiles): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => judge(file, posix.join(posix.dirname(file), specifier)))
      .filter((verdict) => verdict !== undefined),
  );
}

function judge(file: string, target: string): string | undefined {
  const room = roomOf(file);
  const other = roomOf(target);
  if (target.startsWith("../")) return `${file} imports ${target}, outside of src`;
  if (room === other) return undefined;
  if (room !== undefined && rank(room) < 0) return `${file} is in ${room}, which is not a room`;
  if (other === undefined) return `${file} imports ${target}, which is for users of the package`;
  if (target !== `${other}/index.ts`) return `${file} imports ${target}, around the index`;
  if (room === undefined) return undefined;
  if (rank(other) < 0) return `${file} imports from ${other}, which is not a room`;
  if (rank(other) > rank(room)) return `${file} imports from ${other}, which comes after ${room}`;
  if (STRANGERS[room]?.includes(other)) return `${file} imports from ${other}: ${room} must not`;
  return undefined;
}

const rank = (room: string) => (ROOMS as readonly string[]).indexOf(room);

/** The room a path from src/ is in; undefined for files of src/ itself. */
function roomOf(path: string): string | undefined {
  const [first, ...rest] = path.split("/");
  return rest.length > 0 ? first : undefined;
}
