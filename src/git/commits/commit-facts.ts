import { SeamError } from "../../errors/index.ts";
import type { StoredObject } from "../objects/batch-process.ts";
import { type CommitFields, parseSignature } from "../objects/commit-format.ts";
import { readLoose } from "../objects/read-loose.ts";
import type { Repo } from "../repo/repo.ts";
import { type Trailer, trailerBlock } from "./trailers.ts";

export interface CommitFacts extends CommitFields {
  readonly id: string;
  /** Of the last paragraph, as `git interpret-trailers` reads them. */
  readonly trailers: readonly Trailer[];
}

interface ObjectSource {
  read(name: string | Buffer): Promise<StoredObject | undefined>;
}

/** What a commit says; undefined when the name does not lead to one. */
export async function commitFacts(
  source: ObjectSource,
  rev: string,
): Promise<CommitFacts | undefined> {
  const object = await source.read(`${rev}^{commit}`);
  return object && parseCommit(object.id, object.content);
}

/** The same without a process, for a commit that was written lately. Undefined: git has to be asked. */
export function looseCommit(repo: Repo, id: string): CommitFacts | undefined {
  const object = readLoose(repo, id);
  return object?.type === "commit" ? parseCommit(id, object.content) : undefined;
}

function parseCommit(id: string, content: Buffer): CommitFacts {
  const end = content.indexOf("\n\n");
  const headers = headersOf(content.subarray(0, end < 0 ? content.length : end));
  const first = (key: string) => headers.find(([name]) => name === key)?.[1];
  const decode = decoderFor(first("encoding")?.toString());
  const tree = first("tree")?.toString();
  if (tree === undefined) {
    throw new SeamError("SEAM_GIT_OBJECT", { id, detail: "its content is damaged" });
  }
  const signature = (key: string) => parseSignature(decode(first(key) ?? Buffer.alloc(0)));
  const message = end < 0 ? "" : decode(content.subarray(end + 2));
  return {
    id,
    tree,
    parents: headers.filter(([key]) => key === "parent").map(([, value]) => value.toString()),
    author: signature("author"),
    committer: signature("committer"),
    message,
    trailers: trailerBlock(message).trailers,
  };
}

/** Lines that start with a space belong to the one before: a signature has many. */
function headersOf(bytes: Buffer): (readonly [key: string, value: Buffer])[] {
  const lines = bytes.toString("latin1").split("\n");
  return lines
    .filter((line) => !line.startsWith(" "))
    .map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), Buffer.from(line.slice(space + 1), "latin1")] as const;
    });
}

function decoderFor(encoding: string | undefined): (bytes: Buffer) => string {
  try {
    const decoder = new TextDecoder(encoding ?? "utf-8", { ignoreBOM: true });
    return (bytes) => decoder.decode(bytes);
  } catch {
    // Names of encodings that Node does not know are rare, and most text is ASCII.
    return (bytes) => bytes.toString("utf8");
  }
}
