import { createHash } from "node:crypto";
import {
  agentOfType,
  chunkFileName,
  parseChunkIndex,
  reassembleTranscript,
} from "../../agents/index.ts";
import {
  editTree,
  type ObjectBatch,
  type RawPath,
  rawPath,
  type TreeChange,
  type TreeFile,
  walkTree,
} from "../../git/index.ts";
import {
  CONTENT_HASH,
  checkpointPath,
  METADATA,
  TRANSCRIPT,
} from "../checkpoint/checkpoint-files.ts";
import { cutLines } from "../checkpoint/chunk-lines.ts";
import type { SecretRemover } from "../recording-context.ts";

/** Names of transcripts, the newest first. */
const TRANSCRIPTS = [TRANSCRIPT, "full.log"] as const;

type Fields = Record<string, unknown>;

/**
 * A checkpoint of Entire as one of Seam's: the same files, fields and values, free of secrets, at
 * Seam's places. What is absent stays absent, what is unknown is kept. Undefined if its metadata
 * cannot be read.
 */
export async function convert(
  batch: ObjectBatch,
  id: string,
  tree: string,
  redactor: SecretRemover,
): Promise<string | undefined> {
  const files: TreeFile[] = [];
  for await (const file of walkTree(batch, tree)) files.push(file);
  const contentOf = async (path: string) => {
    const file = files.find((one) => one.path === path);
    return file && (await batch.read(file.id))?.content;
  };
  const summary = await fieldsOf(redactor, await contentOf(METADATA));
  if (!summary) return undefined;
  const changes: TreeChange[] = [];
  const put = async (path: string, content: Buffer | string) => {
    const blob = await batch.writeBlob(Buffer.from(content));
    changes.push({ path: path as RawPath, entry: { mode: "100644", id: blob } });
  };
  await put(METADATA, json({ ...moved(summary, id), imported: true, imported_from: tree }));
  const folders = new Set(files.flatMap(({ path }) => /^(\d+)\//.exec(path)?.[1] ?? []));
  const done = new Set<string>([METADATA]);
  for (const folder of folders) {
    const about = (await fieldsOf(redactor, await contentOf(`${folder}/${METADATA}`))) ?? {};
    const chunks = transcriptOf(files, folder);
    for (const { path } of chunks) done.add(path);
    done.add(`${folder}/${METADATA}`);
    if (chunks.length > 0) {
      const whole = await joined(batch, chunks);
      const { bytes, redactions } = await cleanTranscript(redactor, about.agent, whole);
      const { closed, tail } = cutLines(bytes, 0);
      for (const [at, chunk] of [...closed, tail].entries()) {
        await put(`${folder}/${chunkFileName(TRANSCRIPT, at)}`, chunk);
      }
      // The old one is of what it was before secrets were taken out.
      const hash = `${folder}/${CONTENT_HASH}`;
      done.add(hash);
      if (await contentOf(hash)) {
        await put(hash, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
      }
      if (redactions.length > 0) about.redactions = redactions;
    }
    if (Object.keys(about).length > 0) await put(`${folder}/${METADATA}`, json(about));
  }
  for (const { path, id: blob } of files) {
    if (done.has(path)) continue;
    const content = (await batch.read(blob))?.content;
    if (content) await put(path, await clean(redactor, path, content));
  }
  return editTree(batch, undefined, changes);
}

/** Paths in the summary, from wherever Entire had them to where they are now. */
function moved(summary: Fields, id: string): Fields {
  const folder = `/${checkpointPath(id)}`;
  if (!Array.isArray(summary.sessions)) return summary;
  const movedPath = (path: unknown) => {
    if (typeof path !== "string" || path === "") return path;
    const full = path.startsWith("/") ? path : `/${path}`;
    const inner = full.startsWith(`${folder}/`) ? full.slice(folder.length) : full;
    return `${folder}${inner.replace(/\/full\.log$/, `/${TRANSCRIPT}`)}`;
  };
  const sessions = summary.sessions.map((paths: unknown) =>
    isFields(paths)
      ? Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, movedPath(path)]))
      : paths,
  );
  return { ...summary, sessions };
}

/** Its chunks in order. */
function transcriptOf(files: readonly TreeFile[], folder: string): TreeFile[] {
  for (const name of TRANSCRIPTS) {
    const chunks = files
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map((file) => ({ file, at: parseChunkIndex(file.path.slice(folder.length + 1), name) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at);
    if (chunks.length > 0) return chunks.map(({ file }) => file);
  }
  return [];
}

async function joined(batch: ObjectBatch, chunks: readonly TreeFile[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { id } of chunks) parts.push((await batch.read(id))?.content ?? Buffer.alloc(0));
  return reassembleTranscript(parts);
}

async function cleanTranscript(redactor: SecretRemover, agent: unknown, content: Buffer) {
  const format = typeof agent === "string" ? agentOfType(agent)?.transcript : undefined;
  return format && !format.lines ? redactor.document(content) : redactor.redact(content);
}

async function clean(redactor: SecretRemover, path: string, content: Buffer): Promise<Buffer> {
  if (path.endsWith(".json")) return (await redactor.document(content)).bytes;
  if (path.endsWith(".jsonl")) return (await redactor.redact(content)).bytes;
  const text = content.toString();
  // Pictures and the like.
  if (!Buffer.from(text).equals(content)) return content;
  return Buffer.from(await redactor.text(text));
}

async function fieldsOf(
  redactor: SecretRemover,
  content: Buffer | undefined,
): Promise<Fields | undefined> {
  if (!content) return undefined;
  try {
    const parsed: unknown = JSON.parse((await redactor.document(content)).bytes.toString());
    return isFields(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function json(value: Fields): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Where a checkpoint's folder goes in the tree of all. */
export function folderChange(id: string, tree: string): TreeChange {
  return { path: rawPath(checkpointPath(id)), entry: { mode: "40000", id: tree } };
}
