import { getNodeValue } from "jsonc-parser";
import { messageOf, SeamError } from "../../errors/index.ts";
import { type ConfigFile, mistakeInWords, readConfig } from "./config-file.ts";
import type { Finding } from "./installer.ts";
import { mistakeIn } from "./json-text.ts";

/** Which JSON an agent reads. What it does not read it skips as a whole. */
export interface Reads {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  readonly bom: boolean;
}

/** Something in a file that an agent objects to. */
export interface FileProblem {
  /** Where: `hooks.Stop.0.hooks.0.type`. */
  readonly at: string;
  readonly why: string;
}

/** What is wrong with a file in the eyes of the agent that has to read it. */
export function examineFile(
  spec: { title: string; reads: Reads; problems?(value: unknown): readonly FileProblem[] },
  path: string,
): { config?: ConfigFile; findings: Finding[] } {
  const broken = (code: string, detail: string): Finding => ({
    level: "error",
    code,
    text: `${spec.title} skips all of ${path}: ${detail}.`,
    next: "Correct this place in the file. Until then none of its hooks run.",
    stops: { all: true, why: `${spec.title} skips the file` },
  });
  let config: ConfigFile;
  try {
    config = readConfig(path);
  } catch (thrown) {
    const detail = thrown instanceof SeamError ? thrown.details.detail : messageOf(thrown);
    return { findings: [broken("config-invalid", String(detail))] };
  }
  const { text, root } = config.json;
  if (!root) return { config, findings: [] };
  const mistake = mistakeIn(text, spec.reads);
  const unread = mistake ? mistakeInWords(mistake) : undefined;
  const bom = config.hasBom && !spec.reads.bom ? "it starts with a byte order mark" : undefined;
  const problems = spec.problems?.(getNodeValue(root)) ?? [];
  return {
    config,
    findings: [
      ...[unread, bom].flatMap((detail) => (detail ? [broken("config-unread", detail)] : [])),
      ...problems.map(({ at, why }) => broken("config-entry", `${at} ${why}`)),
    ],
  };
}
