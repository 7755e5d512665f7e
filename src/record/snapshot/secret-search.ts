import type { SecretRemover } from "../recording-context.ts";

/** A verdict is a few bytes; more would be those of files long gone. */
const MOST_KNOWN = 10_000;

/** Looks for secrets in files before they enter git, once in each content. */
export class SecretSearch {
  readonly #remover: Pick<SecretRemover, "text">;
  /** Whether a content, by its id, holds a secret. */
  readonly #known = new Map<string, boolean>();
  /** Characters that were looked at so far. */
  searched = 0;

  constructor(remover: Pick<SecretRemover, "text">) {
    this.#remover = remover;
  }

  /** `before`: what git has of the file already, with whatever is in it. */
  async finds(id: string, content: Buffer, before?: { id: string; content: Buffer }) {
    const text = textIn(content);
    if (text === undefined) return false;
    const whole = await this.#look(id, text);
    if (!whole || !before) return whole;
    return this.#look(`${before.id} ${id}`, () => addedLines(before.content, text()));
  }

  /** A name, without the secrets in it. */
  without(name: string): Promise<string> {
    return this.#remover.text(name);
  }

  /** Those of these paths that have a secret in them, in the name of the file or of a folder. */
  async named(paths: readonly string[]): Promise<Set<string>> {
    const unknown = paths.filter((path) => !this.#known.has(`name ${path}`));
    // All names are searched at once, because there is hardly ever something to find.
    const isClean = !tells(await this.#remover.text(unknown.join("\n")));
    const named = new Set<string>();
    for (const path of paths) {
      const key = `name ${path}`;
      const known = this.#known.get(key) ?? (isClean ? false : undefined);
      const found = known ?? tells(await this.#remover.text(path));
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, found);
      if (found) named.add(path);
    }
    return named;
  }

  async #look(key: string, textOf: () => string): Promise<boolean> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = textOf();
    this.searched += text.length;
    const found = (await this.#remover.text(text)) !== text;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }
}

/** A random-looking file name alone is not taken for a secret: there are too many of them. */
function tells(redacted: string): boolean {
  return /\[REDACTED:(?!random\])/.test(redacted);
}

function addedLines(before: Buffer, now: string): string {
  const old = new Set(textIn(before)?.().split("\n"));
  return now
    .split("\n")
    .filter((line) => !old.has(line))
    .join("\n");
}

/** As git tells text from other files. */
const BINARY_WITHIN = 8_000;
/** Of text in two bytes per character, most have nothing in one of them. */
const MOST = 0.7;

/** How the text of a file is had; undefined if it is none. */
function textIn(content: Buffer): (() => string) | undefined {
  const start = content.subarray(0, BINARY_WITHIN);
  if (!start.includes(0)) return () => content.toString("utf8");
  if (content.length % 2 === 1) return undefined;
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || zeros(start, 1) > MOST) {
    return () => content.toString("utf16le");
  }
  if ((first === 0xfe && second === 0xff) || zeros(start, 0) > MOST) {
    return () => Buffer.from(content).swap16().toString("utf16le");
  }
  return undefined;
}

/** How many of every second byte, from this one on, are zero; none may be in between. */
function zeros(bytes: Buffer, from: 0 | 1): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    if (at % 2 !== from) return 0;
    count++;
  }
  return count / (bytes.length / 2);
}
