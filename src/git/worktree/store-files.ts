import { breather } from "../../files/index.ts";
import type { ObjectBatch } from "../object-batch.ts";
import { isSkipped, openContent, type Skipped } from "../objects/file-content.ts";
import type { FileOptions, StoredFile } from "../objects/store-file.ts";
import type { RawPath } from "../paths/raw-path.ts";
import { isStorable } from "../paths/storable.ts";
import { configOf } from "../repo/config.ts";
import { asBoolean } from "../repo/config-file.ts";
import type { Repo } from "../repo/repo.ts";
import { lstatOf } from "../repo/small-file.ts";
import { hashFiltered, mayBeFiltered } from "./filters.ts";
import { insideCheck } from "./inside-check.ts";
import { unfilteredPaths } from "./own-filters.ts";
import { workPath } from "./work-path.ts";

type Result = Map<RawPath, StoredFile | Skipped>;

interface FilesOptions extends Pick<FileOptions, "maxBytes"> {
  /** Says, before a small file is stored, whether its content may be in git. */
  readonly admits?: (path: RawPath, content: Buffer) => Promise<boolean>;
}

const MAX_BYTES = 100 * 1024 * 1024;

/** More at once would only wait for the same disk. */
const AT_ONCE = 8;

/**
 * Stores files of the work tree as `git add` would, filters and line-end rules included, but without
 * the index. One process when attributes may apply, none otherwise. What git would not take either
 * is left out, with a reason. Where `core.fileMode` is off no file is a program: the mode of the
 * entry that was there before is to be kept.
 */
export async function storeFiles(
  batch: ObjectBatch,
  paths: readonly RawPath[],
  { maxBytes = MAX_BYTES, admits }: FilesOptions = {},
): Promise<ReadonlyMap<RawPath, StoredFile | Skipped>> {
  const { workTree } = batch.repo;
  const result: Result = new Map();
  if (workTree === undefined) return result;
  const isInside = insideCheck(workTree);
  for (const path of paths) {
    if (!isStorable(path)) result.set(path, { skipped: "forbidden-name" });
    else if (!isInside(path)) result.set(path, { skipped: "elsewhere" });
  }
  const wanted = paths.filter((path) => !result.has(path));
  const optionsFor = (path: RawPath): FileOptions => ({
    maxBytes,
    ...(admits && { admits: (content) => admits(path, content) }),
  });
  if (await mayBeFiltered(batch.repo, wanted)) {
    await storeFiltered(batch, workTree, wanted, optionsFor, result);
  }
  const rest = wanted.filter((path) => !result.has(path)).values();
  const breathe = breather();
  const worker = async () => {
    for (const path of rest) {
      await breathe();
      result.set(path, await batch.writeBlobFromFile(workPath(workTree, path), optionsFor(path)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const hasPrograms = await trustsModes(batch.repo);
  for (const [path, file] of result) {
    if (isSkipped(file)) continue;
    if (!isStorable(path, file.mode)) result.set(path, { skipped: "forbidden-name" });
    else if (file.mode === "100755" && !hasPrograms) result.set(path, { ...file, mode: "100644" });
  }
  return result;
}

/** Some file systems call everything a program; then git believes the index alone. */
async function trustsModes(repo: Repo): Promise<boolean> {
  return asBoolean((await configOf(repo)).get("core.filemode")) !== false;
}

/** Leaves links and everything odd to the plain way, which says what is wrong with it. */
async function storeFiltered(
  batch: ObjectBatch,
  workTree: string,
  paths: readonly RawPath[],
  optionsFor: (path: RawPath) => FileOptions,
  result: Result,
): Promise<void> {
  const files = new Map<RawPath, Omit<StoredFile, "id">>();
  const breathe = breather();
  const unfiltered = await unfilteredPaths(batch.repo, paths);
  for (const path of paths) {
    await breathe();
    if (unfiltered.has(path)) {
      result.set(path, { skipped: "unfiltered" });
      continue;
    }
    const { maxBytes = MAX_BYTES, admits } = optionsFor(path);
    const stats = lstatOf(workPath(workTree, path));
    if (!stats?.isFile() || stats.size > maxBytes) continue;
    if (admits && !(await isAdmitted(workPath(workTree, path), maxBytes, admits))) {
      result.set(path, { skipped: "refused" });
      continue;
    }
    const mode = (stats.mode & 0o100) === 0 ? "100644" : "100755";
    files.set(path, { mode, size: stats.size });
  }
  const store = (some: readonly RawPath[]) => hashFiltered(batch.repo, workTree, some);
  const ids = await store([...files.keys()]);
  for (const [path, file] of files) {
    const id = ids.get(path);
    if (id === undefined) {
      result.set(path, { skipped: "unreadable", detail: "git could not store it" });
      continue;
    }
    result.set(path, { ...file, id });
    batch.needs(id, async () => (await store([path])).get(path) === id);
  }
}

/** git reads the file itself: what it will read is looked at before. */
async function isAdmitted(
  path: Buffer,
  maxBytes: number,
  admits: NonNullable<FileOptions["admits"]>,
): Promise<boolean> {
  const content = await openContent(path, maxBytes);
  if (isSkipped(content)) return true;
  if ("bytes" in content) return admits(content.bytes);
  await content.handle.close();
  return true;
}
