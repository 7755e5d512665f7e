const FIRST_BYTES = 64 * 1024;
const CHUNKS_PER_SIZE = 128;
/** GitHub refuses blobs over 100 MB; half of that leaves room. */
const MAX_BYTES = 50 * 1024 * 1024;

/**
 * How big a chunk of a stored transcript may get. A transcript that grows changes only its last
 * chunk, so small chunks keep a hundred checkpoints cheap; they get bigger so that a long
 * transcript does not become thousands of files.
 */
export function chunkLimit(index: number): number {
  return Math.min(FIRST_BYTES * 2 ** Math.floor(index / CHUNKS_PER_SIZE), MAX_BYTES);
}

export interface Cut {
  /** Chunks that will not change any more. */
  readonly closed: Buffer[];
  /** What the next lines are appended to; may be empty. */
  readonly tail: Buffer;
}

/** Cuts lines into chunks. `index`: number of chunks closed before. Only line ends are cut at. */
export function cutLines(content: Buffer, index: number): Cut {
  const closed: Buffer[] = [];
  let rest = content;
  for (;;) {
    const limit = chunkLimit(index + closed.length);
    if (rest.length <= limit) return { closed, tail: rest };
    const within = rest.lastIndexOf(10, limit - 1);
    // A line longer than the limit stays whole.
    const end = within < 0 ? rest.indexOf(10, limit) : within;
    if (end < 0 || end === rest.length - 1) return { closed, tail: rest };
    closed.push(rest.subarray(0, end + 1));
    rest = rest.subarray(end + 1);
  }
}
