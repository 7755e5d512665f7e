import { SeamError } from "../../errors/index.ts";
import type { RawPath } from "../paths/raw-path.ts";
import type { ObjectFormat } from "../repo/repo.ts";
import { idLength } from "./object-id.ts";

/** What is at a name: mode as git writes it in trees (`100644`, `40000` …) and object. */
export interface TreeValue {
  readonly mode: string;
  readonly id: string;
}

export interface TreeEntry extends TreeValue {
  /** One name, without slashes. */
  readonly name: RawPath;
}

export const FOLDER = "40000";
export const GITLINK = "160000";

export const isFolderMode = (mode: string) => mode === FOLDER || mode === "040000";

const SPACE = 0x20;

/** The entries of a tree object, in its order. */
export function parseTree(id: string, content: Buffer, format: ObjectFormat): TreeEntry[] {
  const idBytes = idLength(format) / 2;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(SPACE, at);
    const end = content.indexOf(0, space);
    const next = end + 1 + idBytes;
    if (space < 0 || end < 0 || next > content.length) {
      throw new SeamError("SEAM_GIT_OBJECT", { id, detail: "its content is damaged" });
    }
    entries.push({
      mode: content.toString("latin1", at, space),
      name: content.toString("latin1", space + 1, end) as RawPath,
      id: content.toString("hex", end + 1, next),
    });
    at = next;
  }
  return entries;
}

/** The content of a tree object; the entries may come in any order. */
export function formatTree(entries: Iterable<TreeEntry>): Buffer {
  const sorted = [...entries].map((entry) => ({ entry, key: sortKey(entry) }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const pieces: Buffer[] = [];
  for (const { entry } of sorted) {
    pieces.push(Buffer.from(`${entry.mode} ${entry.name}\0`, "latin1"));
    pieces.push(Buffer.from(entry.id, "hex"));
  }
  return Buffer.concat(pieces);
}

/** git sorts a folder as if its name ended with a slash. */
function sortKey({ name, mode }: TreeEntry): string {
  return isFolderMode(mode) ? `${name}/` : name;
}
