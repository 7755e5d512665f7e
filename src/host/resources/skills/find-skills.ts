import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SourceInfo } from "../../../extensions/index.ts";
import { textField } from "../find/fields.ts";
import { findMarkdown, type MarkdownFile, markdownIn } from "../find/find-markdown.ts";
import { firstOfName } from "../find/first-of-name.ts";
import { placesOf, type SearchOptions } from "../find/places.ts";
import type { ResourceProblem } from "../find/problem.ts";
import { sourceInfoOf } from "../find/source-info.ts";

/** Instructions for one kind of work, read only when they are needed. Fields as in Pi. */
export interface Skill {
  name: string;
  /** When to use it: all that the model sees before it asks for more. */
  description: string;
  filePath: string;
  /** What relative paths in the skill refer to. */
  baseDir: string;
  sourceInfo: SourceInfo;
  /** Only the user may call it. */
  disableModelInvocation: boolean;
}

const SKILL_FILE = "SKILL.md";
/** Skills may be sorted into folders; a folder that links to itself must still come to an end. */
const DEEPEST = 3;
/** A name that can be typed after "/skill:". */
const USABLE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u;

/** The skills of a project and a user. The first of a name wins; what cannot be used is reported. */
export function findSkills(options: SearchOptions): {
  skills: Skill[];
  problems: ResourceProblem[];
} {
  const { files, problems } = findMarkdown(placesOf("skills", options), skillFilesIn);
  const skills = files.flatMap((file) => skillOf(file, problems) ?? []);
  return { skills: firstOfName(skills, ({ filePath }) => filePath, problems), problems };
}

function skillFilesIn(folder: string, depth = 0): string[] {
  const own = join(folder, SKILL_FILE);
  if (existsSync(own)) return [own];
  const names = namesIn(folder);
  // Trying to read a file in a folder that cannot be listed reports why.
  if (!names) return [own];
  const folders = names
    .filter((name) => !name.startsWith(".") && name !== "node_modules")
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const inside = depth < DEEPEST ? folders.flatMap((path) => skillFilesIn(path, depth + 1)) : [];
  return [...inside, ...(depth === 0 ? markdownIn(folder) : [])];
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}

function skillOf(file: MarkdownFile, problems: ResourceProblem[]): Skill | undefined {
  const { path, fields, hasHead, scope } = file;
  const ownFolder = basename(path) === SKILL_FILE;
  // A README beside the skills is not one.
  if (!ownFolder && !hasHead) return undefined;
  const refuse = (message: string) => void problems.push({ path, message });

  const name = textField(fields, "name") ?? defaultName(path, ownFolder);
  if (!USABLE_NAME.test(name)) {
    refuse(`"${name}" cannot be a skill's name: use letters, digits and hyphens, 64 at most.`);
    return undefined;
  }
  const description = textField(fields, "description");
  if (!description) {
    refuse("The skill has no description. Say in its head when it is to be used.");
    return undefined;
  }
  return {
    name,
    description,
    filePath: path,
    baseDir: dirname(path),
    sourceInfo: sourceInfoOf(path, scope),
    disableModelInvocation: fields["disable-model-invocation"] === true,
  };
}

function defaultName(path: string, ownFolder: boolean): string {
  return ownFolder ? basename(dirname(path)) : basename(path).slice(0, -".md".length);
}
