/**
 * Transcripts without what the user had deleted of their sessions. What stays keeps its place: the
 * rest of the record counts lines and messages.
 */
const NEWLINE = 10;

/** Lines with those blank that come before one; `from`: the number of the first. */
export function blankLines(lines: Buffer, from: number, until: number): Buffer {
  let count = 0;
  let at = 0;
  while (from + count < until) {
    const end = lines.indexOf(NEWLINE, at);
    if (end < 0) break;
    count++;
    at = end + 1;
  }
  if (count === 0) return lines;
  return Buffer.concat([Buffer.alloc(count, NEWLINE), lines.subarray(at)]);
}

/** A document with empty messages before one; undefined if it cannot be told which these are. */
export function blankMessages(document: Buffer, until: number): Buffer | undefined {
  const { summary: _, messages, info, ...rest } = Object(parsed(document)) as DocumentParts;
  if (!Array.isArray(messages)) return undefined;
  const kept = messages.map((message: unknown, index) => (index < until ? {} : message));
  // The title is removed, because agents make it from the first prompt.
  const { title: __, ...about } = Object(info) as { title?: unknown };
  const whole = { ...rest, ...(info !== undefined && { info: about }), messages: kept };
  return Buffer.from(`${JSON.stringify(whole)}\n`);
}

interface DocumentParts {
  readonly summary?: unknown;
  readonly messages?: unknown;
  readonly info?: unknown;
}

/** The form with which the agent can resume. */
export function withoutBlanks(content: Buffer): Buffer {
  let end = 0;
  while (content[end] === NEWLINE) end++;
  if (end > 0) return content.subarray(end);
  if (!content.includes('"messages":[{},') && !content.includes('"messages":[{}]')) return content;
  const { messages, ...rest } = Object(parsed(content)) as DocumentParts;
  if (!Array.isArray(messages)) return content;
  const kept = messages.filter((message: unknown) => Object.keys(Object(message)).length > 0);
  return Buffer.from(`${JSON.stringify({ ...rest, messages: kept })}\n`);
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
