import { dirname, join, resolve } from "node:path";
import { projectRoot, seamHome } from "../../settings/index.ts";
import { readHead } from "./find/read-head.ts";

/** What a project or a user tells every agent. */
export interface ContextFile {
  path: string;
  content: string;
}

/** The first that is there counts: a folder with both says the same thing twice. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];
const LARGEST = 48 * 1024;

/** From the user's Seam home, then from the project's root down to the working folder. */
export function findContextFiles({ cwd }: { cwd: string }): ContextFile[] {
  const folders = new Set([seamHome(), ...foldersDownTo(resolve(cwd))]);
  return [...folders].flatMap((folder) => contextFileIn(folder) ?? []);
}

function foldersDownTo(cwd: string): string[] {
  const root = projectRoot(cwd);
  const folders = [cwd];
  for (let folder = cwd; folder !== root; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

function contextFileIn(folder: string): ContextFile | undefined {
  for (const name of NAMES) {
    const path = join(folder, name);
    const content = contentOf(path);
    if (content !== undefined) return { path, content };
  }
  return undefined;
}

function contentOf(path: string): string | undefined {
  try {
    const { text, size, truncated } = readHead(path, LARGEST);
    const content = text.replace(/^\uFEFF/, "").trim();
    if (content === "") return undefined;
    if (!truncated) return content;
    return `${content}\n\n(Cut here: the file has ${size} bytes. Read ${path} for the rest.)`;
  } catch {
    // Not there, not readable, or a folder: the next name may be.
    return undefined;
  }
}
