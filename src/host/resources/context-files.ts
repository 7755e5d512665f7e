import { dirname, join } from "node:path";
import { leadsOutside, realTarget } from "../../files/index.ts";
import { projectRoot, seamHome } from "../../settings/index.ts";
import type { ResourceProblem } from "./find/problem.ts";
import { readHead } from "./find/read-head.ts";

/** What a project or a user tells every agent. */
export interface ContextFile {
  path: string;
  content: string;
}

/** The first that is there counts: a folder with both says the same thing twice. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];
const LARGEST = 48 * 1024;

/**
 * Finds context files in the user's Seam home, then from the project's root down to the working
 * folder.
 */
export function findContextFiles(
  { cwd }: { cwd: string },
  onProblem: (problem: ResourceProblem) => void = () => {},
): ContextFile[] {
  const from = realTarget(cwd);
  const root = projectRoot(from);
  const folders = new Set([seamHome(), ...foldersDownTo(from, root)]);
  return [...folders].flatMap((folder) => {
    const within = folder === seamHome() ? undefined : root;
    return contextFileIn(folder, within, onProblem) ?? [];
  });
}

function foldersDownTo(cwd: string, root: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

/** `within`: a link that leads out of this folder would bring a file of the user's to the model. */
function contextFileIn(
  folder: string,
  within: string | undefined,
  onProblem: (problem: ResourceProblem) => void,
): ContextFile | undefined {
  for (const name of NAMES) {
    const path = join(folder, name);
    const outside = within === undefined ? undefined : leadsOutside(path, within);
    if (outside !== undefined) {
      onProblem({ path, message: `It is not used: it leads to ${outside}.` });
      continue;
    }
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
