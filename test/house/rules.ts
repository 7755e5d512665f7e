import { posix } from "node:path";
import { importsOf } from "./imports.ts";

/** The rooms of src/, from the ground up: a room may import from those before it. */
export const ROOMS = [
  "values",
  "errors",
  "files",
  "threads",
  "events",
  "dispatch",
  "settings",
  "programs",
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
  "search",
  "mcp",
  "acp",
  "crew",
  "view",
  "screen",
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

/**
 * Folders that stand in a circle: of two that stand beside each other, each imports from the other,
 * directly or through folders beside them. By the folder they are in.
 */
export function circles(files: SourceFiles): Record<string, string[]> {
  const edges = new Map<string, Map<string, Set<string>>>();
  for (const [file, text] of Object.entries(files)) {
    for (const specifier of importsOf(text).filter((one) => one.startsWith("."))) {
      const [parent, from, to] = apart(file, posix.join(posix.dirname(file), specifier));
      if (parent === "" || from === to || [from, to].some((name) => name.endsWith(".ts"))) continue;
      const inside = edges.get(parent) ?? new Map<string, Set<string>>();
      edges.set(parent, inside);
      inside.set(from, (inside.get(from) ?? new Set()).add(to));
    }
  }
  const found: Record<string, string[]> = {};
  for (const [parent, inside] of edges) {
    const circular = [...inside.keys()].filter((one) => reachedFrom(one, inside).has(one));
    if (circular.length > 0) found[parent] = circular.sort();
  }
  return found;
}

/** Where the ways of two files part: the folder they share, and what each is in below it. */
function apart(file: string, target: string): [parent: string, from: string, to: string] {
  const [one, other] = [file.split("/"), target.split("/")];
  let at = 0;
  while (one[at] === other[at] && at < one.length - 1 && at < other.length - 1) at++;
  return [one.slice(0, at).join("/"), one[at] ?? "", other[at] ?? ""];
}

function reachedFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const next = [start];
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    for (const other of edges.get(node) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      next.push(other);
    }
  }
  return reached;
}

const rank = (room: string) => (ROOMS as readonly string[]).indexOf(room);

/** The room a path from src/ is in; undefined for files of src/ itself. */
function roomOf(path: string): string | undefined {
  const [first, ...rest] = path.split("/");
  return rest.length > 0 ? first : undefined;
}
