import { isDeepStrictEqual } from "node:util";
import type { Json } from "./fields.ts";

/**
 * The patch format that several agents take for all changes of files:
 *
 *     *** Begin Patch
 *     *** Add File: a.txt
 *     +text
 *     *** Update File: b.txt
 *     *** Move to: c.txt
 *     @@
 *     -old
 *     +new
 *     *** Delete File: d.txt
 *     *** End Patch
 */

/** A file of a patch as a call of a tool that every extension knows. */
export interface PatchedFile {
  readonly name: "write" | "edit";
  readonly input: Json;
}

interface Section {
  readonly kind: string;
  readonly path: string;
  moveTo?: string;
  readonly lines: string[];
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Every file a patch touches. A file that is moved is touched in both places. */
export function filesOfPatch(patch: string): PatchedFile[] {
  return sectionsOf(patch).flatMap(({ kind, path, moveTo, lines }): PatchedFile[] => {
    if (kind === "Add") return [{ name: "write", input: { path, content: added(lines) } }];
    if (kind === "Delete") return [{ name: "edit", input: { path, change: "delete" } }];
    const edits = editsOf(lines);
    if (moveTo === undefined) return [{ name: "edit", input: { path, edits } }];
    return [
      { name: "edit", input: { path, change: "move", movedTo: moveTo, edits } },
      { name: "edit", input: { path: moveTo, change: "move", movedFrom: path, edits } },
    ];
  });
}

function sectionsOf(patch: string): Section[] {
  const sections: Section[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const current = sections.at(-1);
    // Agents accept an indented header, but inside of an update that would be a line of the file.
    const isContent = current?.kind === "Update" && !line.startsWith("***");
    const [, kind, path] = (!isContent && HEADER.exec(line.trim())) || [];
    if (kind !== undefined && path !== undefined) sections.push({ kind, path, lines: [] });
    else if (current) addLine(current, line);
  }
  return sections;
}

function addLine(section: Section, line: string): void {
  const [, to] = (section.lines.length === 0 && MOVE.exec(line.trim())) || [];
  if (to === undefined) section.lines.push(line);
  else section.moveTo = to;
}

function added(lines: readonly string[]): string {
  const text = lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
  return text.join("");
}

/** One replacement for each hunk. */
function editsOf(lines: readonly string[]): { oldText: string; newText: string }[] {
  const hunks: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("@@") || hunks.length === 0) hunks.push([]);
    if (/^[ +-]/.test(line)) hunks.at(-1)?.push(line);
  }
  const side = (hunk: string[], mark: string) =>
    hunk
      .filter((line) => line.startsWith(" ") || line.startsWith(mark))
      .map((line) => line.slice(1))
      .join("\n");
  return hunks
    .filter((hunk) => hunk.length > 0)
    .map((hunk) => ({ oldText: side(hunk, "-"), newText: side(hunk, "+") }));
}

/**
 * The patch with its only file changed to this. Undefined: it has several files, or the change is
 * one that a patch of this kind does not say.
 */
export function patchWith(patch: string, changed: Json): string | undefined {
  const [section, ...more] = sectionsOf(patch);
  if (!section || more.length > 0 || section.moveTo !== undefined) return undefined;
  const { path } = changed;
  if (typeof path !== "string" || path === "" || /[\r\n]/.test(path)) return undefined;
  const text =
    section.kind === "Add"
      ? newFile(path, changed.content)
      : patch.replace(/^(\s*\*\*\* (?:Update|Delete) File: ).+$/m, (_, head) => `${head}${path}`);
  const [file] = filesOfPatch(text ?? "");
  return file && isDeepStrictEqual(file.input, { ...changed }) ? text : undefined;
}

function newFile(path: string, content: unknown): string | undefined {
  if (typeof content !== "string" || (content !== "" && !content.endsWith("\n"))) return undefined;
  const lines = content.split("\n").slice(0, -1);
  const body = lines.map((line) => `+${line}\n`).join("");
  return `*** Begin Patch\n*** Add File: ${path}\n${body}*** End Patch\n`;
}
