/** The object or list a string stands in. */
export interface Frame {
  readonly isList: boolean;
  /** Under which key the strings here stand: of the object's own key, or of the list's. */
  key: string;
  /** What the object says about itself; may come after the string. */
  type: string;
  hasMediaType: boolean;
}

export interface JsonVisitor {
  /** The text between the quotes. */
  value(start: number, end: number, frame: Frame): void;
  key(start: number, end: number): void;
}

const QUOTE = 34;
const BACKSLASH = 92;
const LONGEST_TYPE = 64;
const MEDIA_KEYS = new Set(["media_type", "mediaType", "mime_type", "mimeType", "mime"]);

/**
 * Goes through the strings of a JSON text without building anything of its size.
 * False: this is no JSON. Numbers and words are not looked at closely.
 */
export function walkJson(bytes: Buffer, start: number, end: number, visitor: JsonVisitor): boolean {
  const stack: Frame[] = [];
  let frame: Frame = newFrame(true, "");
  let expects: "value" | "key" | "colon" | "after" = "value";
  let at = start;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte === 32 || byte === 9 || byte === 10 || byte === 13) {
      at++;
    } else if (byte === QUOTE) {
      const close = closingQuote(bytes, at + 1, end);
      if (close < 0) return false;
      if (expects === "key") {
        visitor.key(at + 1, close);
        frame.key = keyText(bytes, at + 1, close);
        expects = "colon";
      } else if (expects === "value") {
        note(frame, bytes, at + 1, close);
        visitor.value(at + 1, close, frame);
        expects = "after";
      } else return false;
      at = close + 1;
    } else if (byte === 58) {
      if (expects !== "colon") return false;
      expects = "value";
      at++;
    } else if (byte === 44) {
      if (expects !== "after" || stack.length === 0) return false;
      expects = frame.isList ? "value" : "key";
      at++;
    } else if (byte === 123 || byte === 91) {
      if (expects !== "value") return false;
      stack.push(frame);
      frame = newFrame(byte === 91, frame.key);
      expects = byte === 91 ? "value" : "key";
      at = skipSpace(bytes, at + 1, end);
      if (bytes[at] === (byte === 91 ? 93 : 125)) expects = "after";
    } else if (byte === 125 || byte === 93) {
      const above = stack.pop();
      if (!above || expects !== "after" || frame.isList !== (byte === 93)) return false;
      frame = above;
      at++;
    } else {
      const word = endOfWord(bytes, at, end);
      if (expects !== "value" || word === at) return false;
      expects = "after";
      at = word;
    }
  }
  return stack.length === 0 && expects === "after";
}

function newFrame(isList: boolean, key: string): Frame {
  return { isList, key: isList ? key : "", type: "", hasMediaType: false };
}

function closingQuote(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
    else if (byte === 10) return -1;
  }
  return -1;
}

function skipSpace(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] ?? 0) <= 32) at++;
  return at;
}

/** Numbers, true, false, null: letters, digits, signs. */
function endOfWord(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    const isWord =
      (byte >= 48 && byte <= 57) ||
      (byte >= 97 && byte <= 122) ||
      byte === 43 ||
      byte === 45 ||
      byte === 46 ||
      byte === 69;
    if (!isWord) break;
    at++;
  }
  return at;
}

function keyText(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString("latin1", start, end);
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

function note(frame: Frame, bytes: Buffer, start: number, end: number): void {
  if (frame.isList) return;
  if (frame.key === "type" && end - start <= LONGEST_TYPE)
    frame.type = bytes.toString("latin1", start, end);
  else if (MEDIA_KEYS.has(frame.key)) frame.hasMediaType = true;
}
