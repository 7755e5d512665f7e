import { closeSync, openSync, readSync, statSync } from "node:fs";
import { contentEntries, type Reading, type TranscriptFormat } from "../../agents/index.ts";

/** A tool call that ran although its hook never came. */
export interface UnheardCall {
  readonly id: string;
  /** As the agent calls the tool. */
  readonly tool: string;
  /** The hook came, but its client was gone before it was answered. */
  readonly isAsked: boolean;
}

/** Tools whose calls every agent tells before they run. */
const TOLD: ReadonlySet<string> = new Set(["bash", "write", "edit"]);
/** Not more than this is read at once; calls in what is skipped are not judged. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_IDS = 2_000;
const NEWLINE = 0x0a;

/**
 * Compares what a session's transcript says was run with the hooks that came. Only what was added
 * since the last look is read. A call counts as unheard only if it began after the first hook of
 * the session, ended well, and no hook named it before; in doubt it does not.
 */
export class UnheardCalls {
  readonly #asked = new Set<string>();
  /** Calls whose hook was answered, so that a gate could have its say. */
  readonly #heard = new Set<string>();
  readonly #begun = new Map<string, string>();
  readonly #since = Date.now();
  #file: string | undefined;
  #offset = 0;
  #installedAt = 0;

  /** A hook came for these calls before they ran. The result is called when it was answered. */
  ask({ tools = [] }: Reading): () => void {
    const ids = tools.filter(({ madeUpId }) => !madeUpId).map(({ callId }) => callId);
    for (const id of ids) remember(this.#asked, id);
    return () => {
      for (const id of ids) remember(this.#heard, id);
    };
  }

  /** `installedAt`: when Seam last put hooks in or took some out. What was run before is passed over. */
  look(file: string, format: TranscriptFormat, installedAt = 0): UnheardCall[] {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const isOther = file !== this.#file || size < this.#offset || installedAt !== this.#installedAt;
    if (isOther || size - this.#offset > MOST_BYTES) {
      // Nobody knows whether a hook came for what is in the transcript already.
      this.#file = file;
      this.#offset = size;
      this.#installedAt = installedAt;
      this.#begun.clear();
      return [];
    }
    if (size === this.#offset) return [];
    const added = wholeLines(file, this.#offset, size);
    this.#offset += added.length;
    return this.#unheardIn(added, format);
  }

  #unheardIn(lines: Buffer, format: TranscriptFormat): UnheardCall[] {
    const unheard: UnheardCall[] = [];
    for (const { entry } of contentEntries(format, lines)) {
      const { kind, tool, at, inSubagent } = entry;
      const id = tool?.callId;
      if (!tool || id === undefined || inSubagent !== undefined) continue;
      if (kind === "tool_call") {
        const isOurs = TOLD.has(tool.name) && at !== undefined && Date.parse(at) > this.#since;
        if (isOurs) this.#begun.set(id, tool.nativeName);
      } else if (kind === "tool_result") {
        const begun = this.#begun.get(id);
        this.#begun.delete(id);
        if (begun === undefined || tool.isError || this.#heard.has(id)) continue;
        unheard.push({ id, tool: begun, isAsked: this.#asked.has(id) });
      }
    }
    return unheard;
  }

  /** A hook that comes late is not missing. */
  stillUnheard(calls: readonly UnheardCall[]): UnheardCall[] {
    return calls.filter(({ id }) => !this.#heard.has(id));
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest = ""] = ids;
  if (ids.size > MOST_IDS) ids.delete(oldest);
}

function wholeLines(file: string, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  const fd = openSync(file, "r");
  try {
    const read = readSync(fd, bytes, 0, bytes.length, from);
    return bytes.subarray(0, bytes.subarray(0, read).lastIndexOf(NEWLINE) + 1);
  } finally {
    closeSync(fd);
  }
}
