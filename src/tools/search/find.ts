import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { type Static, Type } from "typebox";
import { isInside } from "../../files/index.ts";
import { throwIfAborted, untilAborted } from "../abort.ts";
import { boundedList, usableLimit } from "../bounded-list.ts";
import { shownPath } from "../shown-path.ts";
import type { BuiltinTool } from "../tool.ts";
import { resolveToolPath } from "../tool-path.ts";
import type { TruncationResult } from "../truncate.ts";
import { findPaths } from "./find-paths.ts";

const DEFAULT_LIMIT = 1000;

const findSchema = Type.Object({
  pattern: Type.String({
    description: "A glob for names ('*.ts') or, with a slash, for paths ('src/**/*.test.ts')",
  }),
  path: Type.Optional(
    Type.String({ description: "The folder to search (default: working folder)" }),
  ),
  limit: Type.Optional(
    Type.Number({ description: `The most results to show (default: ${DEFAULT_LIMIT})` }),
  ),
});

export type FindToolInput = Static<typeof findSchema>;

export interface FindToolDetails {
  truncation?: TruncationResult;
  /** The limit, when there were more results. */
  resultLimitReached?: number;
}

/** Where files are looked for. Replace it to search on another machine. */
export interface FindOperations {
  exists: (absolutePath: string) => Promise<boolean> | boolean;
  /** Paths that match, absolute or relative to `cwd`. */
  glob: (
    pattern: string,
    cwd: string,
    options: { ignore: string[]; limit: number },
  ) => Promise<string[]> | string[];
}

export interface FindToolOptions {
  operations?: FindOperations;
}

/**
 * The tool with which models look for files by a glob. `operations` can look elsewhere.
 *
 * @example
 * const { execute } = createFindTool(process.cwd());
 * const found = await execute("1", { pattern: "**\/*.md" });
 * console.log(found.content);
 */
export function createFindTool(
  cwd: string,
  options: FindToolOptions = {},
): BuiltinTool<typeof findSchema, FindToolDetails | undefined> {
  const { operations } = options;
  return {
    name: "find",
    label: "find",
    description: `Find files and folders by glob. Paths are relative to the searched folder and sorted; what .gitignore excludes is left out. Shows ${DEFAULT_LIMIT} results or 50KB at most.`,
    promptSnippet: "Find files by name or path",
    parameters: findSchema,
    execute: (_toolCallId, { pattern, path = ".", limit }, signal) =>
      untilAborted(signal, async () => {
        const folder = resolveToolPath(path, cwd);
        const most = usableLimit(limit, DEFAULT_LIMIT);
        if (!(await exists(folder, operations))) {
          throw new Error(
            `Cannot search ${path}: there is no folder at this path. Check it with ls.`,
          );
        }
        // One more than shown tells whether there are more.
        const found = operations
          ? await remotePaths(operations, pattern, folder, most + 1)
          : await findPaths(pattern, folder, signal);
        throwIfAborted(signal);
        if (found.length === 0) {
          return { content: [{ type: "text", text: `Nothing matches ${pattern} in ${path}` }] };
        }
        const limitReached = found.length > most;
        const notices = limitReached
          ? [`Only the first ${most} results; raise limit or narrow the pattern.`]
          : [];
        const lines = found.sort().slice(0, most).map(shownPath);
        const { text, truncation } = boundedList(lines, notices);
        const details: FindToolDetails = {
          ...(truncation && { truncation }),
          ...(limitReached && { resultLimitReached: most }),
        };
        return { content: [{ type: "text", text }], details };
      }),
  };
}

async function exists(folder: string, operations: FindOperations | undefined): Promise<boolean> {
  if (operations) return operations.exists(folder);
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function remotePaths(
  operations: FindOperations,
  pattern: string,
  folder: string,
  limit: number,
): Promise<string[]> {
  const ignore = ["**/node_modules/**", "**/.git/**"];
  const paths = await operations.glob(pattern, folder, { ignore, limit });
  return paths.map((path) => {
    const inside = isInside(path, folder);
    return (inside ? relative(folder, path) : path).split(sep).join("/");
  });
}
