import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../errors/index.ts";
import { parseFrontmatter, type SourceInfo } from "../../../extensions/index.ts";
import { leadsOutside } from "../../../files/index.ts";
import type { Place } from "./places.ts";
import type { ResourceProblem } from "./problem.ts";
import { readHead } from "./read-head.ts";

export interface MarkdownFile {
  path: string;
  scope: SourceInfo["scope"];
  /** There is a YAML head, if only an empty one. */
  hasHead: boolean;
  fields: Readonly<Record<string, unknown>>;
  body: string;
}

export interface FoundMarkdown {
  files: MarkdownFile[];
  problems: ResourceProblem[];
}

const LARGEST = 256 * 1024;

/** Reads the Markdown files at the given places; `pick` names those of a folder. */
export function findMarkdown(
  places: readonly Place[],
  pick: (folder: string) => string[] = markdownIn,
): FoundMarkdown {
  const files: MarkdownFile[] = [];
  const problems: ResourceProblem[] = [];
  const seen = new Set<string>();
  const attempt = (path: string, act: () => void) => {
    try {
      act();
    } catch (error) {
      problems.push({ path, message: messageOf(error) });
    }
  };
  for (const place of places) {
    attempt(place.path, () => {
      for (const path of pathsAt(place, pick)) {
        attempt(path, () => {
          // The same file by way of a link is not a second one.
          const real = realpathSync(path);
          const outside = place.within === undefined ? undefined : leadsOutside(path, place.within);
          if (outside !== undefined) throw new Error(`It is not used: it leads to ${outside}.`);
          if (seen.has(real)) return;
          seen.add(real);
          files.push({ path, scope: place.scope, ...readMarkdown(path) });
        });
      }
    });
  }
  return { files, problems };
}

/** The Markdown files directly in a folder, in the same order on every machine. */
export function markdownIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.toLowerCase().endsWith(".md") && !name.startsWith("."))
    .sort()
    .map((name) => join(folder, name));
}

function pathsAt({ path, named }: Place, pick: (folder: string) => string[]): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat) return stat.isDirectory() ? pick(path) : [path];
  if (named) throw new Error("There is nothing at this path.");
  return [];
}

export function readMarkdown(path: string): Pick<MarkdownFile, "hasHead" | "fields" | "body"> {
  const { text, size, truncated } = readHead(path, LARGEST);
  if (truncated) throw new Error(`The file is too large: ${size} bytes of at most ${LARGEST}.`);
  const content = text.replace(/^\uFEFF/, "");
  const hasHead = /^---[ \t]*\r?\n/.test(content);
  const { frontmatter, body } = parseFrontmatter(content);
  if (hasHead && Object.keys(frontmatter).length === 0) {
    const head = content.slice(0, content.length - body.length);
    if (head === "") throw new Error('The head is not closed: a line with "---" is missing.');
    if (/[^-\s]/.test(head)) throw new Error("The head is not valid YAML with names and values.");
  }
  return { hasHead, fields: frontmatter, body: body.trim() };
}
