import { secretRemover } from "../../record/index.ts";

type Remover = ReturnType<typeof secretRemover>;
type Log = Parameters<typeof secretRemover>[0];

/** Projects whose patterns are kept at hand. */
const MOST_PROJECTS = 64;

/** Takes secrets out of texts before they are kept, by the settings of the project they are about. */
export class TextRedaction {
  readonly #log: Log;
  readonly #removers = new Map<string, Remover>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The texts in their order. All at once: one call for each takes three times as long. */
  async redact(texts: readonly string[], project: string | undefined): Promise<string[]> {
    if (texts.length === 0) return [];
    const lines = texts.map((text) => JSON.stringify(text));
    const given = Buffer.from(lines.join("\n"));
    const { bytes } = await this.#removerFor(project ?? "/").redact(given);
    if (bytes.equals(given)) return [...texts];
    const redacted = bytes.toString("utf8").split("\n");
    return texts.map((text, index) => textIn(redacted[index] ?? '""', text));
  }

  #removerFor(project: string): Remover {
    const known = this.#removers.get(project);
    if (known) return known;
    const remover = secretRemover(this.#log, project);
    this.#removers.set(project, remover);
    const [oldest] = this.#removers.keys();
    if (this.#removers.size > MOST_PROJECTS && oldest !== undefined) this.#removers.delete(oldest);
    return remover;
  }
}

/** A line that is no longer JSON holds what could not be taken out otherwise: then it is dropped. */
function textIn(line: string, original: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : "";
  } catch {
    return original === "" ? "" : "[REDACTED]";
  }
}
