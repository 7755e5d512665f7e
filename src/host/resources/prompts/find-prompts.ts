import { basename } from "node:path";
import type { SourceInfo } from "../../../extensions/index.ts";
import { textField } from "../find/fields.ts";
import { findMarkdown, type MarkdownFile } from "../find/find-markdown.ts";
import { firstOfName } from "../find/first-of-name.ts";
import { placesOf, type SearchOptions } from "../find/places.ts";
import type { ResourceProblem } from "../find/problem.ts";
import { sourceInfoOf } from "../find/source-info.ts";

/** A prompt that is called by name. Fields as in Pi. */
export interface PromptTemplate {
  name: string;
  description: string;
  /** What to write after the name. */
  argumentHint?: string;
  content: string;
  filePath: string;
  sourceInfo: SourceInfo;
}

const LONGEST_DESCRIPTION = 80;

/** The prompt templates of a project and a user. The first of a name wins. */
export function findPrompts(options: SearchOptions): {
  prompts: PromptTemplate[];
  problems: ResourceProblem[];
} {
  const { files, problems } = findMarkdown(placesOf("prompts", options));
  const prompts = files.flatMap((file) => promptOf(file, problems) ?? []);
  return { prompts: firstOfName(prompts, ({ filePath }) => filePath, problems), problems };
}

function promptOf(file: MarkdownFile, problems: ResourceProblem[]): PromptTemplate | undefined {
  const { path, scope, fields, body } = file;
  const name = basename(path).slice(0, -".md".length);
  const refuse = (message: string) => void problems.push({ path, message });
  if (/\s/.test(name)) {
    refuse("A prompt is called by the name of its file, which must not contain spaces.");
    return undefined;
  }
  if (body === "") {
    refuse("The prompt is empty.");
    return undefined;
  }
  const argumentHint = textField(fields, "argument-hint");
  return {
    name,
    description: textField(fields, "description") ?? firstLine(body),
    ...(argumentHint && { argumentHint }),
    content: body,
    filePath: path,
    sourceInfo: sourceInfoOf(path, scope),
  };
}

function firstLine(body: string): string {
  const [line = ""] = body.split("\n");
  if (line.length <= LONGEST_DESCRIPTION) return line.trim();
  return `${line.slice(0, LONGEST_DESCRIPTION - 1).trim()}…`;
}
