import { appendFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Case } from "../frame.ts";
import { BenchProject } from "./project.ts";
import type { Built } from "./seam.ts";

const MEGABYTE = 1024 * 1024;
const TIMES = 100;
const BYTES = 20 * MEGABYTE;

/** What a hundred checkpoints of a growing transcript take on the disk, before any clean-up. */
export async function* storageCases(
  seam: Built,
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("a transcript that grows to 20 MB in 100 checkpoints");
  const transcript = join(folder, "transcript.jsonl");
  writeFileSync(transcript, "");
  const grown = await store(seam, new BenchProject(folder, "grown"), transcript, TIMES);
  const alone = await store(seam, new BenchProject(folder, "alone"), transcript, 1);
  yield atMost({
    name: "disk for 100 checkpoints of a transcript that grows to 20 MB",
    value: grown / alone,
    bar: 1.5,
    unit: "times the last one alone",
    detail: [
      { name: "100 checkpoints", value: grown / MEGABYTE, unit: "MB" },
      { name: "the last alone", value: alone / MEGABYTE, unit: "MB" },
    ],
  });
}

/** Bytes in the objects folder. With more than one time, the transcript grows before each. */
async function store(
  { openRepo, openRepoRecord, storeLines, writeCheckpoints }: Built,
  project: BenchProject,
  transcript: string,
  times: number,
): Promise<number> {
  const repo = await openRepo(project.root);
  if (!repo) throw new Error("no repository");
  const { store: objects } = openRepoRecord(repo);
  const blobs = {
    writeBlob: (content: Buffer) => objects.writeBlob(content),
    readBlob: async (id: string) => (await objects.read(id))?.content,
  };
  const redactor = { redact: async (bytes: Buffer) => ({ bytes, redactions: [] }) };
  let stored: Awaited<ReturnType<typeof storeLines>>["stored"] | undefined;
  for (let i = 0; i < times; i++) {
    if (times > 1) appendFileSync(transcript, lines(i, BYTES / times));
    ({ stored } = await storeLines(transcript, stored, blobs, redactor));
    const chunks = stored.tail === undefined ? stored.chunks : [...stored.chunks, stored.tail];
    const id = i.toString(16).padStart(2, "0").padEnd(12, "7");
    const metadata = {
      session_id: "bench",
      created_at: new Date(i).toISOString(),
      checkpoints_count: 1,
      files_touched: ["work.ts"],
      model: "",
    };
    const part = {
      metadata,
      transcript: { chunks, contentHash: stored.contentHash },
      prompts: [`Prompt ${i}`],
    };
    await writeCheckpoints(objects, `Checkpoint: ${id}`, [{ id, parts: [part] }]);
  }
  await objects.close();
  return bytesIn(join(repo.commonDir, "objects"));
}

/** Text as it is in transcripts: words, numbers, ids. */
function lines(seed: number, bytes: number): string {
  let random = seed + 1;
  const next = (most: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random % most;
  };
  const made: string[] = [];
  for (let size = 0; size < bytes; ) {
    const words = Array.from({ length: 20 + next(200) }, () => WORDS[next(WORDS.length)]);
    const line = JSON.stringify({
      type: "assistant",
      uuid: `${next(1e9).toString(16)}-${next(1e9).toString(16)}`,
      message: { content: [{ type: "text", text: words.join(" ") }], output_tokens: next(5_000) },
    });
    made.push(line);
    size += line.length + 1;
  }
  return `${made.join("\n")}\n`;
}

const WORDS =
  "the of file function return const test value change error line read write call result user session commit git tree object path name type string number when then because should could would it is was not in on at by for with from into about after before first last new old same other each all none import export async await promise array record key index start end".split(
    " ",
  );

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
