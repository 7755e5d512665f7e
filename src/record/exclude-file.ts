import { existsSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { inWords, SeamError } from "../errors/index.ts";
import {
  LARGE_FILE,
  leadsOutside,
  makeFolderBelow,
  readRegular,
  realTarget,
  replaceFile,
} from "../files/index.ts";
import { pathBytes, type RawPath, type Repo } from "../git/index.ts";
import { seamDirOf } from "./seam-dir.ts";

/**
 * Seam's lines in `info/exclude`: what git leaves out of commits in this clone alone, in all of its
 * work trees. What else is in the file is never touched. Bytes are kept as latin1, one character each.
 */
const BEGIN =
  '# agentseam: these files are for you alone and stay out of commits. "seam disable" takes this out.';
const END = "# agentseam: end";
const BLOCK = new RegExp(`^${BEGIN}\r?\n(?:.*\n)*?${END}\r?\n?`, "m");

/** What the file was before Seam came, as far as the lines around Seam's do not tell. */
interface Before {
  readonly file: boolean;
  readonly folder: boolean;
  /** Its last line ended without a newline. */
  readonly isOpen: boolean;
}

const beforeFile = (repo: Repo) => join(seamDirOf(repo), "exclude-before.json");
const USUAL: Before = { file: true, folder: true, isOpen: false };
const DEFAULT_MODE = 0o644;

/**
 * Makes git leave out exactly these files on Seam's account. Without any, the file becomes what it
 * was, to the byte. Throws SEAM_EXCLUDE if it cannot be written; then it is as it was.
 */
export function setExcluded(repo: Repo, paths: readonly RawPath[]): void {
  const name = join(repo.commonDir, "info", "exclude");
  const outside = leadsOutside(name, repo.commonDir);
  const lines = [...new Set(paths)].sort().map(patternFor);
  try {
    const now = textAt(name);
    const known = BLOCK.test(now ?? "");
    if (lines.length === 0 && !known) return;
    if (outside !== undefined) throw new Error(`it is a link to ${outside}`);
    if (lines.length > 0) put(repo, name, now, lines, known);
    else takeOut(repo, name, now ?? "");
  } catch (error) {
    throw new SeamError("SEAM_EXCLUDE", { path: name, detail: inWords(error) }, { cause: error });
  }
}

function put(
  repo: Repo,
  name: string,
  now: string | undefined,
  lines: readonly string[],
  isKnown: boolean,
): void {
  const block = `${[BEGIN, ...lines, END].join("\n")}\n`;
  if (isKnown && now !== undefined) {
    const after = now.replace(BLOCK, () => block);
    if (after !== now) write(name, after);
    return;
  }
  const text = now ?? "";
  const before: Before = {
    file: now !== undefined,
    folder: existsSync(dirname(name)),
    isOpen: text !== "" && !text.endsWith("\n"),
  };
  makeFolderBelow(repo.commonDir, seamDirOf(repo));
  replaceFile(beforeFile(repo), `${JSON.stringify(before)}\n`);
  makeFolderBelow(repo.commonDir, dirname(name));
  write(name, text + (before.isOpen ? "\n" : "") + block);
}

function takeOut(repo: Repo, name: string, now: string): void {
  const before = beforeOf(repo);
  const start = now.search(BLOCK);
  const rest = now.replace(BLOCK, "");
  const isLast = start === rest.length;
  const text = before.isOpen && isLast ? rest.slice(0, -1) : rest;
  if (text === "" && !before.file) rmSync(realTarget(name));
  else write(name, text);
  if (!before.folder) removeIfEmpty(dirname(name));
  rmSync(beforeFile(repo), { force: true });
}

function write(name: string, text: string): void {
  const path = realTarget(name);
  const stats = statSync(path, { throwIfNoEntry: false });
  // Replacing a file asks only for the right to its folder: who made it read-only meant something.
  if (stats && (stats.mode & 0o200) === 0) throw new Error("it is read-only");
  const mode = stats ? stats.mode & 0o7777 : DEFAULT_MODE;
  replaceFile(path, Buffer.from(text, "latin1"), { mode });
}

function textAt(name: string): string | undefined {
  return existsSync(name) ? readRegular(name, LARGE_FILE).toString("latin1") : undefined;
}

function beforeOf(repo: Repo): Before {
  try {
    return { ...USUAL, ...(JSON.parse(readFileSync(beforeFile(repo), "utf8")) as Partial<Before>) };
  } catch {
    return USUAL;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it by now.
  }
}

/** A pattern for this one file. A newline cannot be written in it: any one character stands for it. */
function patternFor(path: RawPath): string {
  const text = pathBytes(path).toString("latin1");
  const escaped = text.replace(/[\\*?[\]]/g, "\\$&").replace(/[\r\n]/g, "?");
  return `/${escaped.replace(/ $/, "\\ ")}`;
}
