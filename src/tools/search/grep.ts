import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Static, Type } from "typebox";
import { messageOf } from "../../errors/index.ts";
import { throwIfAborted, untilAborted } from "../abort.ts";
import { boundedList, usableLimit } from "../bounded-list.ts";
import { fileError } from "../file-error.ts";
import { findProgram } from "../find-program.ts";
import type { BuiltinTool } from "../tool.ts";
import { resolveToolPath } from "../tool-path.ts";
import type { TruncationResult } from "../truncate.ts";
import type { LineMatch, LineQuery, SearchPlace } from "./line-search.ts";
import { matchLines } from "./match-lines.ts";
import { nodeSearch } from "./node-search.ts";
import { rgSearch } from "./rg-search.ts";

const DEFAULT_LIMIT = 100;

const grepSchema = Type.Object({
  pattern: Type.String({ description: "A regular expression, or plain text with literal" }),
  path: Type.Optional(
    Type.String({ description: "The folder or file to search (default: working folder)" }),
  ),
  glob: Type.Optional(
    Type.String({ description: "Which files to search, such as '*.ts' or '!*.test.ts'" }),
  ),
  ignoreCase: Type.Optional(
    Type.Boolean({ description: "Take upper and lower case for the same (default: false)" }),
  ),
  literal: Type.Optional(
    Type.Boolean({ description: "Search for the pattern as it is written (default: false)" }),
  ),
  context: Type.Optional(
    Type.Number({ description: "Lines to show before and after each match (default: 0)" }),
  ),
  limit: Type.Optional(
    Type.Number({ description: `The most matches to show (default: ${DEFAULT_LIMIT})` }),
  ),
});

export type GrepToolInput = Static<typeof grepSchema>;

export interface GrepToolDetails {
  truncation?: TruncationResult;
  /** The limit, when there were more matches. */
  matchLimitReached?: number;
  /** Some lines were too long to be shown whole. */
  linesTruncated?: boolean;
}

/** How grep looks at files beyond the search itself, which is always done on this machine. */
export interface GrepOperations {
  /** Throws when there is nothing at the path. */
  isDirectory: (absolutePath: string) => Promise<boolean> | boolean;
  /** For the lines around a match. */
  readFile: (absolutePath: string) => Promise<string> | string;
}

export interface GrepToolOptions {
  operations?: GrepOperations;
}

const localOperations: GrepOperations = {
  isDirectory: async (path) => (await stat(path)).isDirectory(),
  readFile: (path) => readFile(path, "utf8"),
};

/**
 * The tool with which models search in files. `operations` can search elsewhere.
 *
 * @example
 * const { execute } = createGrepTool(process.cwd());
 * const found = await execute("1", { pattern: "TODO", glob: "*.ts" });
 * console.log(found.content);
 */
export function createGrepTool(
  cwd: string,
  options: GrepToolOptions = {},
): BuiltinTool<typeof grepSchema, GrepToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "grep",
    label: "grep",
    description: `Search the content of files. Returns path, line number and line of each match; what .gitignore excludes is left out. Shows ${DEFAULT_LIMIT} matches or 50KB at most, and 500 characters of a line.`,
    promptSnippet: "Search the content of files",
    parameters: grepSchema,
    execute: (_toolCallId, input, signal) =>
      untilAborted(signal, async () => {
        const path = input.path ?? ".";
        const place = await placeOf(resolveToolPath(path, cwd), path, operations);
        const limit = usableLimit(input.limit, DEFAULT_LIMIT);
        // One more than shown tells whether there are more.
        const matches = await firstMatches(queryOf(input), place, limit + 1, signal);
        if (matches.length === 0) {
          const text = `Nothing matches ${input.pattern} in ${path}`;
          return { content: [{ type: "text", text }] };
        }
        const limitReached = matches.length > limit;
        const context = Math.max(0, Math.floor(input.context ?? 0));
        const { lines, cutLines } = await matchLines(matches.slice(0, limit), context, (file) =>
          linesOf(join(place.folder, file), operations),
        );
        throwIfAborted(signal);
        const { text, truncation } = boundedList(lines, [
          ...(limitReached
            ? [`Only the first ${limit} matches; raise limit or search more narrowly.`]
            : []),
          ...(cutLines ? ["Long lines are cut; use read to see them whole."] : []),
        ]);
        const details: GrepToolDetails = {
          ...(truncation && { truncation }),
          ...(limitReached && { matchLimitReached: limit }),
          ...(cutLines && { linesTruncated: true }),
        };
        return { content: [{ type: "text", text }], details };
      }),
  };
}

function queryOf({ pattern, literal = false, ignoreCase = false, glob }: GrepToolInput): LineQuery {
  return { pattern, literal, ignoreCase, glob };
}

async function placeOf(
  absolutePath: string,
  path: string,
  operations: GrepOperations,
): Promise<SearchPlace> {
  try {
    const isFolder = await operations.isDirectory(absolutePath);
    if (isFolder) return { folder: absolutePath, file: undefined };
    return { folder: dirname(absolutePath), file: basename(absolutePath) };
  } catch (error) {
    throw fileError("search", path, error);
  }
}

async function firstMatches(
  query: LineQuery,
  place: SearchPlace,
  count: number,
  signal: AbortSignal | undefined,
): Promise<LineMatch[]> {
  const rg = await findProgram("rg");
  try {
    if (rg) return await take(count, rgSearch(rg, query, place, signal));
  } catch {
    throwIfAborted(signal);
    // One too old to know an option, or a pattern it does not understand: ours may do better.
  }
  try {
    return await take(count, nodeSearch(query, place, signal));
  } catch (error) {
    throwIfAborted(signal);
    const advice = query.literal ? "" : " To search for it as plain text, set literal to true.";
    throw new Error(`Cannot search: ${messageOf(error)}.${advice}`, { cause: error });
  }
}

async function take(count: number, search: AsyncIterable<LineMatch>): Promise<LineMatch[]> {
  const matches: LineMatch[] = [];
  for await (const match of search) {
    matches.push(match);
    if (matches.length >= count) break;
  }
  return matches;
}

async function linesOf(path: string, operations: GrepOperations): Promise<string[]> {
  try {
    const lines = (await operations.readFile(path)).split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  } catch {
    // The match itself is known; only what is around it is not.
    return [];
  }
}
