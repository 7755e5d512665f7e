import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { throwIfAborted, untilAborted } from "./abort.ts";
import { boundedList, usableLimit } from "./bounded-list.ts";
import { fileError } from "./file-error.ts";
import { shownPath } from "./shown-path.ts";
import type { BuiltinTool } from "./tool.ts";
import { resolveToolPath } from "./tool-path.ts";
import type { TruncationResult } from "./truncate.ts";

const DEFAULT_LIMIT = 500;

const lsSchema = Type.Object({
  path: Type.Optional(Type.String({ description: "The folder to list (default: working folder)" })),
  limit: Type.Optional(
    Type.Number({ description: `The most entries to show (default: ${DEFAULT_LIMIT})` }),
  ),
});

export type LsToolInput = Static<typeof lsSchema>;

export interface LsToolDetails {
  truncation?: TruncationResult;
  /** The limit, when there were more entries. */
  entryLimitReached?: number;
}

/** Where folders are listed. Replace it to list on another machine. */
export interface LsOperations {
  exists: (absolutePath: string) => Promise<boolean> | boolean;
  stat: (absolutePath: string) => Promise<FolderCheck> | FolderCheck;
  readdir: (absolutePath: string) => Promise<string[]> | string[];
}

interface FolderCheck {
  isDirectory: () => boolean;
}

export interface LsToolOptions {
  operations?: LsOperations;
}

const localOperations: LsOperations = {
  exists: (path) =>
    stat(path).then(
      () => true,
      () => false,
    ),
  stat: (path) => stat(path),
  readdir: (path) => readdir(path),
};

/**
 * The tool with which models list a folder. `operations` can list elsewhere.
 *
 * @example
 * const { execute } = createLsTool(process.cwd());
 * const listed = await execute("1", { path: "src" });
 * console.log(listed.content);
 */
export function createLsTool(
  cwd: string,
  options: LsToolOptions = {},
): BuiltinTool<typeof lsSchema, LsToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "ls",
    label: "ls",
    description: `List a folder: names in alphabetical order, hidden ones included, folders with a "/" at the end. Shows ${DEFAULT_LIMIT} entries or 50KB at most.`,
    promptSnippet: "List what a folder contains",
    parameters: lsSchema,
    execute: (_toolCallId, { path = ".", limit }, signal) =>
      untilAborted(signal, async () => {
        const folder = resolveToolPath(path, cwd);
        const names = await namesIn(folder, path, operations);
        throwIfAborted(signal);
        if (names.length === 0)
          return { content: [{ type: "text", text: "The folder is empty." }] };

        const most = usableLimit(limit, DEFAULT_LIMIT);
        const shown = names.sort(alphabetically).slice(0, most);
        const lines = await Promise.all(shown.map((name) => entryLine(folder, name, operations)));
        const limitReached = names.length > most;
        const notices = limitReached
          ? [`${most} of ${names.length} entries shown; raise limit to see more.`]
          : [];
        const { text, truncation } = boundedList(lines, notices);
        const details: LsToolDetails = {
          ...(truncation && { truncation }),
          ...(limitReached && { entryLimitReached: most }),
        };
        return { content: [{ type: "text", text }], details };
      }),
  };
}

async function namesIn(folder: string, path: string, operations: LsOperations): Promise<string[]> {
  if (!(await operations.exists(folder))) {
    throw new Error(`Cannot list ${path}: there is nothing at this path. Try the folder above it.`);
  }
  try {
    if ((await operations.stat(folder)).isDirectory()) return await operations.readdir(folder);
  } catch (error) {
    throw fileError("list", path, error);
  }
  throw new Error(`Cannot list ${path}: it is a file. Use read to see what it contains.`);
}

async function entryLine(folder: string, name: string, operations: LsOperations): Promise<string> {
  let isFolder = false;
  try {
    isFolder = (await operations.stat(join(folder, name))).isDirectory();
  } catch {
    // A link to nowhere is an entry too, only not a folder.
  }
  return shownPath(isFolder ? `${name}/` : name);
}

function alphabetically(a: string, b: string): number {
  return a.toLowerCase().localeCompare(b.toLowerCase()) || (a < b ? -1 : 1);
}
