import { SeamError } from "../../errors/index.ts";
import { addTokens, noTokens } from "../../events/index.ts";
import {
  atRepo,
  git,
  type ObjectBatch,
  rawPath,
  readTree,
  type TreeEntry,
} from "../../git/index.ts";
import { checkpointPath, isCheckpointId, METADATA } from "./checkpoint-files.ts";
import type { IsForgotten } from "./forgotten.ts";
import type { CheckpointMetadata, SessionPaths } from "./metadata.ts";
import { readCheckpointTree, type StoredSession } from "./read-checkpoint.ts";

const FOLDER = "40000";

/**
 * Checkpoints as if some sessions had never been in them: in the newest state and in every state
 * before, since git keeps those too. What is not concerned keeps its name. Commits that then say
 * nothing new are left out.
 */
export class WithoutSessions {
  readonly #batch: ObjectBatch;
  readonly #isForgotten: IsForgotten;
  /** Results by tree: hardly anything differs from one state to the next. */
  readonly #roots = new Map<string, string | undefined>();
  readonly #shards = new Map<string, string | undefined>();
  readonly #folders = new Map<string, string | undefined>();
  /** The checkpoints that have lost a session. */
  readonly changed = new Set<string>();

  constructor(batch: ObjectBatch, isForgotten: IsForgotten) {
    this.#batch = batch;
    this.#isForgotten = isForgotten;
  }

  /** What a reference at this commit has to lead to; undefined if nothing is left. */
  async commit(tip: string): Promise<string | undefined> {
    const { repo } = this.#batch;
    const args = [...atRepo(repo), "rev-list", "--topo-order", "--reverse", tip];
    const listed = await git(args, { cwd: repo.gitDir });
    const now = new Map<string, { commit: string; tree: string } | undefined>();
    for (const id of listed.toString().split("\n").filter(Boolean)) {
      now.set(id, await this.#rewritten(id, now));
    }
    return now.get(tip)?.commit;
  }

  async #rewritten(
    id: string,
    now: ReadonlyMap<string, { commit: string; tree: string } | undefined>,
  ): Promise<{ commit: string; tree: string } | undefined> {
    const object = await this.#batch.read(id);
    if (object?.type !== "commit") {
      throw new SeamError("SEAM_GIT_OBJECT", { id, detail: "it is no commit" });
    }
    const text = object.content.toString("latin1");
    const end = text.indexOf("\n\n");
    const lines = text.slice(0, end).split("\n");
    const before = lines[0]?.slice("tree ".length) ?? "";
    const parents = lines.flatMap((line) => /^parent (\S+)$/.exec(line)?.[1] ?? []);
    const kept = parents.flatMap((parent) => now.get(parent) ?? []);
    const tree = await this.#root(before);
    const isSame = tree === before && parents.every((parent, at) => kept[at]?.commit === parent);
    if (isSame) return { commit: id, tree: before };
    const [only] = kept;
    if (kept.length === 0 && tree === undefined) return undefined;
    if (kept.length === 1 && only && (tree === undefined || only.tree === tree)) return only;
    const written = tree ?? (await this.#batch.writeTree([]));
    // A signature would no longer be true.
    const rest = lines.slice(1).filter((line) => !/^(parent|gpgsig)\b|^ /.test(line));
    const head = [`tree ${written}`, ...kept.map(({ commit }) => `parent ${commit}`), ...rest];
    const content = Buffer.from(`${head.join("\n")}${text.slice(end)}`, "latin1");
    return { commit: await this.#batch.write("commit", content), tree: written };
  }

  #root(tree: string): Promise<string | undefined> {
    return known(this.#roots, tree, () =>
      this.#each(tree, ({ name, id }) => (name.length === 2 ? this.#shard(name, id) : id)),
    );
  }

  #shard(shard: string, tree: string): Promise<string | undefined> {
    return known(this.#shards, tree, () =>
      this.#each(tree, ({ name, id }) => {
        const checkpoint = `${shard}${name}`;
        return isCheckpointId(checkpoint) ? this.folder(checkpoint, id) : id;
      }),
    );
  }

  /** A tree with its folders replaced; undefined if that leaves nothing. */
  async #each(
    tree: string,
    replace: (folder: TreeEntry) => Promise<string | undefined> | string | undefined,
  ): Promise<string | undefined> {
    const before = (await readTree(this.#batch, tree)) ?? [];
    const after: TreeEntry[] = [];
    for (const entry of before) {
      const id = entry.mode === FOLDER ? await replace(entry) : entry.id;
      if (id !== undefined) after.push({ ...entry, id });
    }
    if (after.length === 0 && before.length > 0) return undefined;
    const isSame =
      after.length === before.length && after.every((one, i) => one.id === before[i]?.id);
    return isSame ? tree : this.#batch.writeTree(after);
  }

  /** The folder of a checkpoint; undefined if no session is left in it. */
  folder(id: string, tree: string): Promise<string | undefined> {
    return known(this.#folders, tree, async () => {
      const found = await readCheckpointTree(this.#batch.store, id, tree);
      const goes = ({ metadata }: StoredSession) => this.#isForgotten(metadata.session_id, id);
      if (!found?.sessions.some(goes)) return tree;
      this.changed.add(id);
      const left = found.sessions.filter((one) => !goes(one));
      if (left.length === 0) return undefined;
      const entries = (await readTree(this.#batch, tree)) ?? [];
      const others = entries.filter(({ name }) => name !== METADATA && !/^\d+$/.test(name));
      const folders = left.map(({ index }, at) => {
        const inner = entries.find(({ name }) => name === String(index))?.id ?? "";
        return { name: rawPath(String(at)), mode: FOLDER, id: inner };
      });
      const text = `${JSON.stringify(summaryOf(found.metadata, left, id), null, 2)}\n`;
      const blob = await this.#batch.writeBlob(Buffer.from(text));
      const metadata = { name: rawPath(METADATA), mode: "100644", id: blob };
      return this.#batch.writeTree([...folders, metadata, ...others]);
    });
  }
}

/** What a checkpoint says of itself, with these sessions alone in it. */
function summaryOf(
  before: CheckpointMetadata,
  left: readonly StoredSession[],
  id: string,
): CheckpointMetadata {
  const all = left.map(({ metadata }) => metadata);
  const files = [...new Set(all.flatMap(({ files_touched }) => files_touched))].sort();
  const { file_hashes } = before;
  return {
    ...before,
    checkpoints_count: all.reduce((sum, one) => sum + one.checkpoints_count, 0),
    files_touched: files,
    ...(file_hashes && {
      file_hashes: Object.fromEntries(
        Object.entries(file_hashes).filter(([path]) => files.includes(path)),
      ),
    }),
    sessions: left.flatMap(({ index }, at) => {
      const paths = before.sessions.find((one) => one?.metadata.includes(`/${index}/`));
      return paths
        ? [moved(paths, `${checkpointPath(id)}/${index}/`, `${checkpointPath(id)}/${at}/`)]
        : [];
    }),
    token_usage: all.reduce(
      (sum, one) => addTokens(sum, one.token_usage ?? noTokens()),
      noTokens(),
    ),
  };
}

function moved(paths: SessionPaths, from: string, to: string): SessionPaths {
  const { metadata, prompt, transcript, content_hash, ...rest } = paths;
  const move = (path: string) => path.replace(from, to);
  return {
    ...rest,
    metadata: move(metadata),
    prompt: move(prompt),
    ...(transcript !== undefined && { transcript: move(transcript) }),
    ...(content_hash !== undefined && { content_hash: move(content_hash) }),
  };
}

async function known<T>(
  found: Map<string, T>,
  key: string,
  find: () => Promise<T>,
): Promise<T | undefined> {
  const before = found.get(key);
  if (found.has(key)) return before;
  const value = await find();
  found.set(key, value);
  return value;
}
