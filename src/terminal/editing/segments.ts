import { graphemes } from "../text/graphemes.ts";

/** A part of a line the cursor jumps over in one step. */
export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Cuts a line into its segments: characters, or whatever else must not be taken apart. */
export type Segmenter = (line: string) => Segment[];

/** One segment per user-perceived character. */
export const byGrapheme: Segmenter = (line) => toSegments(graphemes(line));

export function toSegments(texts: readonly string[], offset = 0): Segment[] {
  let end = offset;
  return texts.map((text) => {
    const start = end;
    end += text.length;
    return { text, start, end };
  });
}
