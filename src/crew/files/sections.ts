import { nearest } from "../../events/index.ts";
import { keyIn } from "./fields.ts";

/** One part of a workflow's text under a heading `## …`. */
export interface Section {
  readonly heading: string;
  readonly line: number;
  /** What stands below the heading, and the number of its first line. */
  readonly lines: readonly string[];
  readonly firstLine: number;
}

/**
 * The tasks of a workflow. A prompt can have headings of its own, so one begins a task only if a key
 * follows it, or if it is a plain name after an empty line; if none is like that, all of them do.
 */
export function sectionsOf(
  body: readonly string[],
  bodyLine: number,
  known: readonly string[],
): Section[] {
  const headings = headingsIn(body);
  const begins = headings.filter((at) => hasKeyBelow(body, at, known));
  const isName = (at: number) =>
    (body[at - 1] ?? "").trim() === "" && /^##\s+[a-z][a-z0-9-]*\s*$/.test(body[at] ?? "");
  const starts =
    begins.length === 0 ? headings : headings.filter((at) => begins.includes(at) || isName(at));
  return starts.map((at, index) => ({
    heading: (body[at] ?? "").replace(/^##\s+/, "").trim(),
    line: bodyLine + at,
    lines: body.slice(at + 1, starts[index + 1] ?? body.length),
    firstLine: bodyLine + at + 1,
  }));
}

/** Headings of the second level that are not part of a block of code or a comment. */
function headingsIn(body: readonly string[]): number[] {
  let fence: string | undefined;
  let inComment = false;
  return body.flatMap((line, at) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return [];
    }
    if (mark !== undefined) {
      fence = mark;
      return [];
    }
    if (line.includes("<!--")) inComment = true;
    const isHeading = !inComment && /^##\s+\S/.test(line);
    if (line.includes("-->")) inComment = false;
    return isHeading ? [at] : [];
  });
}

function hasKeyBelow(body: readonly string[], heading: number, known: readonly string[]): boolean {
  const below = body.slice(heading + 1).find((line) => line.trim() !== "");
  const key = below === undefined ? undefined : keyIn(below);
  return key !== undefined && (known.includes(key) || nearest(key, known) !== undefined);
}
