import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Where a session runs and keeps its transcript. */
interface Place {
  readonly cwd?: string | undefined;
  readonly transcriptPath?: string | undefined;
}

/** A path has fewer folders. */
const MOST_FOLDERS = 64;

/**
 * Whether `/name` is a command somebody wrote (`commands/name.md`) and no skill
 * (`skills/name/SKILL.md`). The hook says the same of both, so the files are looked for, in the
 * project and in the user's own folder. A skill wins over a command with its name.
 */
export function isOwnCommand(name: string, place: Place): boolean {
  const parts = name.split(":");
  if (!parts.every((part) => /^[^./\\\0][^/\\\0]*$/.test(part))) return false;
  const folders = configFolders(place);
  const isIn = (...path: string[]) => folders.some((folder) => isFile(join(folder, ...path)));
  return (
    isIn("commands", ...parts.slice(0, -1), `${parts.at(-1)}.md`) &&
    !isIn("skills", name, "SKILL.md")
  );
}

function configFolders({ cwd, transcriptPath }: Place): string[] {
  const folders: string[] = [];
  let folder = cwd;
  for (let level = 0; folder !== undefined && level < MOST_FOLDERS; level++) {
    folders.push(join(folder, ".claude"));
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  // <folder>/projects/<project>/<session>.jsonl: it may be another one than usual.
  const own = transcriptPath === undefined ? undefined : dirname(dirname(dirname(transcriptPath)));
  return [...folders, own ?? join(homedir(), ".claude")];
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
