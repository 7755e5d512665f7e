import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Every page of the project, by its path from the root. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  [
    ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
    ...readdirSync(join(ROOT, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ].map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);

/** The text between ``` fences is not Markdown. */
export function withoutCode(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
}

/** What stands in code: in single backticks and in blocks of shell commands. */
export function codeIn(page: string): string[] {
  const shell = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block.split("\n"),
  );
  const prose = page.replace(/^```[\s\S]*?^```$/gm, "");
  return [...shell, ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span)];
}

/** The anchors of a page's headings, as Markdown viewers spell them. */
export function anchorsOf(page: string): Set<string> {
  const headings = page.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
