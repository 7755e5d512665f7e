/** One line of a diff. `old` and `new` are its numbers in the two files, where it is in them. */
export interface DiffLine {
  readonly kind: "same" | "add" | "del" | "note";
  readonly text: string;
  readonly old?: number;
  readonly new?: number;
}

export interface DiffHunk {
  /** What git says after the second @@: the function the hunk is in. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  /** Where it was before, if it was moved. */
  readonly from?: string;
  readonly change: "changed" | "added" | "deleted" | "moved" | "binary";
  readonly added: number;
  readonly deleted: number;
  readonly hunks: readonly DiffHunk[];
}

interface Draft {
  path: string;
  from?: string;
  change: DiffFile["change"];
  hunks: { heading: string; lines: DiffLine[] }[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Reads what `git diff` or `diff -u` printed. Lines it does not know are left out, never an error. */
export function parseDiff(text: string): DiffFile[] {
  const drafts: Draft[] = [];
  let left = { old: 0, new: 0 };
  let at = { old: 0, new: 0 };
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const file = drafts.at(-1);
    const hunk = file?.hunks.at(-1);
    if (hunk && (left.old > 0 || left.new > 0)) {
      // An empty line has lost its space to an editor. Anything else ends a hunk that was cut short.
      const kind = KINDS[line[0] ?? " "];
      if (kind === undefined) left = { old: 0, new: 0 };
      else if (kind === "note") hunk.lines.push({ kind, text: line.slice(2) });
      else {
        const isOld = kind !== "add";
        const isNew = kind !== "del";
        hunk.lines.push({
          kind,
          text: line.slice(1),
          ...(isOld ? { old: at.old } : {}),
          ...(isNew ? { new: at.new } : {}),
        });
        at = { old: at.old + Number(isOld), new: at.new + Number(isNew) };
        left = { old: left.old - Number(isOld), new: left.new - Number(isNew) };
      }
      if (kind !== undefined) continue;
    }
    const match = HUNK.exec(line);
    if (match) {
      const [, oldStart, oldCount, newStart, newCount, heading] = match;
      at = { old: Number(oldStart), new: Number(newStart) };
      left = { old: Number(oldCount ?? 1), new: Number(newCount ?? 1) };
      fileOf(drafts).hunks.push({ heading: heading ?? "", lines: [] });
    } else if (line.startsWith("\\ ") && hunk) {
      hunk.lines.push({ kind: "note", text: line.slice(2) });
    } else readHeader(line, drafts);
  }
  return drafts.map(finished);
}

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = {
  " ": "same",
  "+": "add",
  "-": "del",
  "\\": "note",
};

function readHeader(line: string, drafts: Draft[]): void {
  const git = /^diff --git (?:"?a\/(.*?)"?) (?:"?b\/(.*?)"?)$/.exec(line);
  if (git) {
    drafts.push({ path: git[2] ?? "", change: "changed", hunks: [] });
    return;
  }
  const isNextFile = line.startsWith("--- ") && (drafts.at(-1)?.hunks.length ?? 1) > 0;
  if (isNextFile) drafts.push({ path: "", change: "changed", hunks: [] });
  const file = drafts.at(-1);
  if (!file) return;
  if (line.startsWith("--- ")) {
    if (line.startsWith("--- /dev/null")) file.change = "added";
    else if (!file.path) file.path = pathIn(line.slice(4));
  } else if (line.startsWith("+++ ")) {
    if (line.startsWith("+++ /dev/null")) file.change = "deleted";
    else file.path = pathIn(line.slice(4));
  } else if (line.startsWith("new file")) file.change = "added";
  else if (line.startsWith("deleted file")) file.change = "deleted";
  else if (line.startsWith("rename from ")) {
    file.from = line.slice(12);
    file.change = "moved";
  } else if (line.startsWith("rename to ")) file.path = line.slice(10);
  else if (/^(Binary files |GIT binary patch)/.test(line)) file.change = "binary";
}

/** The path of a header line, without git's prefix and the time that diff adds. */
function pathIn(text: string): string {
  const path = (text.split("\t")[0] ?? "").replace(/^"(.*)"$/, "$1");
  return path.replace(/^[abciow]\//, "");
}

function fileOf(drafts: Draft[]): Draft {
  const last = drafts.at(-1);
  if (last) return last;
  const file: Draft = { path: "", change: "changed", hunks: [] };
  drafts.push(file);
  return file;
}

function finished(draft: Draft): DiffFile {
  const lines = draft.hunks.flatMap((hunk) => hunk.lines);
  const sum = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { ...draft, added: sum("add"), deleted: sum("del") };
}
