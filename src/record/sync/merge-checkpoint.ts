import { addTokens, noTokens, type TokenUsage } from "../../events/index.ts";
import { type ObjectBatch, rawPath, type TreeEntry } from "../../git/index.ts";
import { checkpointPath, METADATA, TRANSCRIPT } from "../checkpoint/checkpoint-files.ts";
import type { CheckpointMetadata, SessionMetadata, SessionPaths } from "../checkpoint/metadata.ts";
import { readCheckpointTree, type StoredSession } from "../checkpoint/read-checkpoint.ts";
import { entriesOf, isFolder } from "./tree-entries.ts";

interface Part {
  readonly key: string;
  readonly index: number;
  /** Folder of the session. */
  readonly tree: string;
  readonly metadata?: SessionMetadata;
  /** Where its files are said to be. */
  readonly paths?: SessionPaths | undefined;
  /** More of it is better: bytes of transcript, then what happened in it. */
  readonly weight: readonly number[];
}

interface Side {
  readonly tree: string;
  readonly metadata: CheckpointMetadata;
  readonly parts: ReadonlyMap<string, Part>;
  /** What is neither a session nor metadata. */
  readonly others: readonly TreeEntry[];
}

type Unite = (ours: string, theirs: string) => Promise<string>;

/** One checkpoint that two sides have differently: every session, in its longer form. */
export async function mergeCheckpoint(
  batch: ObjectBatch,
  id: string,
  ours: string,
  theirs: string,
  unite: Unite,
): Promise<string> {
  const [a, b] = await Promise.all([sideOf(batch, id, ours), sideOf(batch, id, theirs)]);
  const greater = ours > theirs ? ours : theirs;
  if (!a || !b) return a?.tree ?? b?.tree ?? greater;
  const chosen = [...new Set([...a.parts.keys(), ...b.parts.keys()])]
    .flatMap((key) => better(a.parts.get(key), b.parts.get(key)) ?? [])
    .sort((one, two) => one.index - two.index || (one.key < two.key ? -1 : 1));
  const others = await mergeOthers(a.others, b.others, unite);
  for (const side of tree(a) > tree(b) ? [a, b] : [b, a]) {
    if (isAll(side, chosen, others)) return side.tree;
  }
  const folder = checkpointPath(id);
  const moved = chosen.map((part, index) => ({ ...part, to: index }));
  const entries: TreeEntry[] = moved.map(({ to, tree: inner }) => ({
    name: rawPath(String(to)),
    mode: "40000",
    id: inner,
  }));
  const metadata = mergeMetadata(a, b, moved, folder);
  const text = `${JSON.stringify(metadata, null, 2)}\n`;
  const blob = await batch.writeBlob(Buffer.from(text));
  entries.push({ name: rawPath(METADATA), mode: "100644", id: blob }, ...others);
  return batch.writeTree(entries);
}

const tree = (side: Side) => side.tree;

function isAll(side: Side, chosen: readonly Part[], others: readonly TreeEntry[]): boolean {
  const known = new Set(side.others.map(({ id }) => id));
  return (
    chosen.length === side.parts.size &&
    chosen.every(({ key, tree: inner }) => side.parts.get(key)?.tree === inner) &&
    others.every(({ id }) => known.has(id))
  );
}

async function sideOf(batch: ObjectBatch, id: string, folder: string): Promise<Side | undefined> {
  const checkpoint = await readCheckpointTree(batch.store, id, folder);
  if (!checkpoint) return undefined;
  const { metadata, sessions } = checkpoint;
  const entries = [...(await entriesOf(batch, folder)).values()];
  const parts = new Map<string, Part>();
  for (const entry of entries.filter(isSession)) {
    const session = sessions.find(({ index }) => String(index) === entry.name);
    const part = await partOf(batch, entry, session, metadata);
    parts.set(parts.has(part.key) ? `${part.key}\0${entry.name}` : part.key, part);
  }
  const others = entries.filter((entry) => !isSession(entry) && entry.name !== METADATA);
  return { tree: folder, metadata, parts, others };
}

function isSession(entry: TreeEntry): boolean {
  return isFolder(entry) && /^\d+$/.test(entry.name);
}

async function partOf(
  batch: ObjectBatch,
  { name, id }: TreeEntry,
  session: StoredSession | undefined,
  { sessions = [] }: CheckpointMetadata,
): Promise<Part> {
  const index = Number(name);
  // What cannot be read is kept as it is.
  if (!session) return { key: `?${id}`, index, tree: id, weight: [] };
  const files = [...(await entriesOf(batch, id)).values()];
  const chunks = files.filter((file) => file.name.startsWith(TRANSCRIPT));
  const infos = await Promise.all(chunks.map((file) => batch.store.info(file.id)));
  const { metadata } = session;
  return {
    key: metadata.session_id,
    index,
    tree: id,
    metadata,
    paths: sessions.find((one) => one?.metadata?.endsWith(`/${index}/${METADATA}`)),
    weight: [
      infos.reduce((sum, info) => sum + (info?.size ?? 0), 0),
      metadata.skill_events?.length ?? 0,
      metadata.blocked_calls?.length ?? 0,
      metadata.token_usage?.api_call_count ?? 0,
      metadata.files_touched?.length ?? 0,
    ],
  };
}

/** The one with more in it; the smaller of both places, so that it does not matter who asks. */
function better(a: Part | undefined, b: Part | undefined): Part | undefined {
  if (!a || !b) return a ?? b;
  const winner = isMore(a, b) ? a : b;
  return { ...winner, index: Math.min(a.index, b.index) };
}

function isMore(a: Part, b: Part): boolean {
  for (const [at, mine] of a.weight.entries()) {
    const yours = b.weight[at] ?? 0;
    if (mine !== yours) return mine > yours;
  }
  return a.tree > b.tree;
}

async function mergeOthers(
  ours: readonly TreeEntry[],
  theirs: readonly TreeEntry[],
  unite: Unite,
): Promise<TreeEntry[]> {
  const merged = new Map<string, TreeEntry>(ours.map((entry) => [entry.name, entry]));
  for (const entry of theirs) {
    const known = merged.get(entry.name);
    if (!known || known.id === entry.id) merged.set(entry.name, entry);
    else if (isFolder(known) && isFolder(entry)) {
      merged.set(entry.name, { ...known, id: await unite(known.id, entry.id) });
    } else if (entry.id > known.id) merged.set(entry.name, entry);
  }
  return [...merged.values()];
}

function mergeMetadata(
  a: Side,
  b: Side,
  parts: readonly (Part & { readonly to: number })[],
  folder: string,
): CheckpointMetadata {
  const [less, more] = tree(a) > tree(b) ? [b.metadata, a.metadata] : [a.metadata, b.metadata];
  const all = parts.flatMap(({ metadata }) => metadata ?? []);
  const used = all.flatMap(({ token_usage }): TokenUsage[] => (token_usage ? [token_usage] : []));
  const hashes = { ...less.file_hashes, ...more.file_hashes };
  return {
    ...less,
    ...more,
    checkpoints_count: all.reduce((sum, one) => sum + (one.checkpoints_count ?? 0), 0),
    files_touched: [
      ...new Set([...(less.files_touched ?? []), ...(more.files_touched ?? [])]),
    ].sort(),
    ...(Object.keys(hashes).length > 0 && { file_hashes: sorted(hashes) }),
    sessions: parts.map(({ paths, to }) => movedPaths(paths, folder, to)),
    ...(used.length > 0 && { token_usage: used.reduce(addTokens, noTokens()) }),
  };
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function movedPaths(paths: SessionPaths | undefined, folder: string, to: number): SessionPaths {
  const known = paths ?? { metadata: `/0/${METADATA}`, prompt: "" };
  const moved = Object.entries(known).map(([key, path]: [string, unknown]) => [
    key,
    typeof path === "string" && path !== ""
      ? path.replace(/^.*?\/\d+\/(?=[^/]+$|assets\/)/, `/${folder}/${to}/`)
      : path,
  ]);
  return Object.fromEntries(moved) as SessionPaths;
}
