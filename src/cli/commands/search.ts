import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { agentNamed } from "../../agents/index.ts";
import { daemonPaths } from "../../daemon/index.ts";
import { isInside } from "../../files/index.ts";
import { rememberedRepositories } from "../../record/index.ts";
import {
  type Freshness,
  type Hit,
  indexSize,
  ROLES,
  type SearchAnswer,
  type SearchRequest,
  search,
} from "../../search/index.ts";
import { agentNameIn } from "../agent-called.ts";
import { wholeNumber } from "../number-arguments.ts";
import { lineWidth, paint, printJson, printLine } from "../print.ts";
import { sinceTime, untilTime } from "../record/dates.ts";
import { agentType, plain, plural, when } from "../record/format.ts";
import { flow, indented } from "../record/lines.ts";
import { printLong } from "../record/pager.ts";
import { stateLine, waitForIndex } from "../record/wait-for-index.ts";
import { shownPath } from "../shown-path.ts";

interface Options extends Omit<SearchRequest, "query"> {
  wait?: boolean;
  rebuild?: boolean;
  json?: boolean;
}

export function addSearch(program: Command): void {
  program
    .command("search")
    .argument("[words...]", "what is looked for")
    .option("--agent <name>", "only of this agent: claude-code, codex …", agentNameIn)
    .option("--project <folder>", "only of this project: its folder, or a part of its path")
    .option("--file <path>", "only of sessions that changed this file")
    .option("--since <time>", "only from then on: 2026-11-17, 12h, 7d, 2w", sinceTime)
    .option("--until <time>", "only up to then", untilTime)
    .option("--role <role>", `only what is: ${ROLES.join(", ")}`)
    .option("--tool <name>", "only calls of this tool: bash, edit, read …")
    .option("--stopped", "only calls that were stopped")
    .option("--commit <id>", "only of the sessions behind this commit")
    .option("--session <id>", "only of this session; the beginning of its id will do")
    .option(
      "--in <where>",
      "tools: only the input and output of tools; all: everything",
      placeNamed,
    )
    .option("--substring", "the text as it is, also inside of words")
    .option("--limit <count>", "how many sessions", wholeNumber, 10)
    .option("--cursor <cursor>", "go on after an earlier answer, which printed this cursor")
    .option("--no-wait", "answer with what is in the index now")
    .option("--rebuild", "delete the index and make it again")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Finds what was said and done in sessions of all agents on this machine, and in
checkpoints. All words have to be in one entry. If there is none, the text is looked
for inside of words, then any of the words, and the answer says so. "A phrase"
stands in quotes; auth* means all words that begin like it.

Examples:
  seam search "retry with backoff"
  seam search spool daemon --agent codex --since 7d
  seam search --in tools ECONNREFUSED
  seam search --stopped --project .
  seam search --substring "handleMess" --json`,
    )
    .action(run);
}

async function run(words: readonly string[], options: Options): Promise<void> {
  const { wait = true, rebuild, json, ...filters } = options;
  const paths = daemonPaths();
  const request = requestOf(words, { snippet: Math.max(60, 2 * lineWidth() - 20), ...filters });
  if (rebuild) {
    const index = await waitForIndex(paths, { rebuild, mostMs: Number.POSITIVE_INFINITY });
    if (request.query === "") return sayRebuilt(index, json);
  }
  const index = await waitForIndex(paths, wait ? {} : { mostMs: 0 });
  const { answer } = await search(paths, request, 0);
  if (json) return printJson(jsonOf(answer, index));
  await printLong(linesOf(answer, request, index));
}

/** One argument with spaces is words as well: only quotes inside of it make a phrase. */
function requestOf(
  words: readonly string[],
  filters: Omit<Options, "wait" | "rebuild" | "json">,
): SearchRequest {
  const { project, ...rest } = filters;
  const query = words.join(" ");
  const isFolder = project !== undefined && existsSync(project);
  return {
    query,
    ...rest,
    ...(project !== undefined && { project: isFolder ? resolve(project) : project }),
  };
}

async function sayRebuilt(index: Freshness, json: boolean | undefined): Promise<void> {
  const { entries = 0, sessions = 0, problems = 0 } = await indexSize(daemonPaths());
  if (json)
    return printJson({ rebuilt: index.isComplete, entries, sessions, unreadable: problems });
  printLine(
    `The index was made again: ${plural(entries, "entry", "entries")} of ${plural(sessions, "session")}.`,
  );
  if (problems > 0) printLine(`${plural(problems, "transcript")} could not be read.`);
}

function jsonOf({ hits, by, cursor, isPartial }: SearchAnswer, index: Freshness): object {
  return {
    hits: hits.map((hit) => ({
      agent: hit.agent,
      session: hit.session,
      ...(hit.project !== undefined && { project: hit.project }),
      ...(hit.at !== undefined && { at: hit.at }),
      role: hit.role,
      ...(hit.tool !== undefined && { tool: hit.tool }),
      snippet: markedText(hit, (text) => `«${text}»`),
      ...(hit.hits > 1 && { hits: hit.hits }),
      open: openCommand(hit),
    })),
    by,
    ...(cursor !== undefined && { cursor }),
    ...(isPartial && { newest_only: true }),
    ...(!index.isComplete && { index_incomplete: true }),
  };
}

const HOW: Readonly<Record<SearchAnswer["by"], string | undefined>> = {
  words: undefined,
  filters: undefined,
  substring: "No entry has these words; found inside of words and signs:",
  "any word": "No entry has all of these words; found with some of them:",
};

function linesOf(answer: SearchAnswer, request: SearchRequest, index: Freshness): string[] {
  const { hits, by, cursor, isPartial } = answer;
  const state = stateLine(index);
  const notes = state === undefined ? [] : [paint("yellow", state)];
  if (hits.length === 0) return [nothingFound(request), ...notes];
  const how = request.substring ? undefined : HOW[by];
  const lines = how === undefined ? [] : [paint("dim", how), ""];
  for (const hit of hits) lines.push(...hitLines(hit), "");
  if (cursor !== undefined) lines.push(paint("dim", `There is more: add --cursor ${cursor}`));
  if (isPartial) lines.push(paint("dim", "Very much was found; only the newest of it was ranked."));
  return [...lines, ...notes];
}

function nothingFound({ in: where }: SearchRequest): string {
  return where === undefined
    ? "Nothing was found. What tools gave back is searched with --in tools."
    : "Nothing was found.";
}

function hitLines(hit: Hit): string[] {
  const { at, agent, project, title, role, tool, hits } = hit;
  // Where the hit is the prompt that gave the session its name, the name would only repeat it.
  const isSaid = role === "prompt" && hit.snippet.text.startsWith(title?.slice(0, 30) ?? "");
  const head = [
    ...(at === undefined ? [] : [paint("bold", when(at))]),
    agentType(agent),
    ...(project === undefined ? [] : [plain(shownPath(project))]),
    ...(title === undefined || isSaid ? [] : [paint("dim", plain(title).slice(0, 60))]),
  ];
  const what = tool === undefined ? role : `${role} ${plain(tool)}`;
  const more = hits > 1 ? paint("dim", `(${plural(hits - 1, "more hit")} in it)`) : "";
  const text = markedText(hit, (part) => paint(["bold", "yellow"], part));
  return [
    ...flow(head, "  ", "  "),
    ...indented([`${paint("dim", what)}  ${text}`], "  "),
    ...flow([`  ${openCommand(hit)}`, more], "  ", "  "),
  ];
}

function markedText({ snippet: { text, hits } }: Hit, mark: (part: string) => string): string {
  let done = 0;
  let marked = "";
  for (const [start, end] of hits) {
    marked += plain(text.slice(done, start)) + mark(plain(text.slice(start, end)));
    done = end;
  }
  return marked + plain(text.slice(done));
}

/** The command that shows the session: Seam's record where there is one, or else its agent. */
function openCommand({ agent, session, project }: Hit): string {
  const isRecorded = project !== undefined && workTrees().some((tree) => isInside(project, tree));
  const words = isRecorded
    ? ["seam", "show", session]
    : (agentNamed(agent)?.sessions.resumeCommand(session) ?? ["seam", "show", session]);
  const command = words.map(quoted).join(" ");
  // Nobody can go to a folder that was deleted.
  const isHere = project === undefined || isInside(process.cwd(), project) || !existsSync(project);
  return isHere ? command : `cd ${quoted(shownPath(project))} && ${command}`;
}

let trees: readonly string[] | undefined;

function workTrees(): readonly string[] {
  // The record of a repository that is gone went with it.
  trees ??= rememberedRepositories()
    .map(({ workTree }) => workTree)
    .filter((tree) => existsSync(tree));
  return trees;
}

function quoted(word: string): string {
  const shown = plain(word);
  return /^[\w@%+=:,./~-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

function placeNamed(value: string): "tools" | "all" {
  if (value === "tools" || value === "all") return value;
  throw new InvalidArgumentError("It must be tools or all.");
}
