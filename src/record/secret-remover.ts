import type { SeamError } from "../errors/index.ts";
import { loadSettings } from "../settings/index.ts";
import type { Log, SecretRemover } from "./recording-context.ts";
import { createRedactor, type Redaction, type Redactor } from "./redact/index.ts";

/** Settings are looked at again after so long: a new pattern has to hold without a restart. */
const FRESH_MS = 10_000;
const NEWLINE = 10;

/** What of the settings for redaction cannot be used, or is not what it looks like. */
export function redactionProblems(cwd = process.cwd()): readonly SeamError[] {
  return createRedactor(loadSettings(cwd).settings.redaction).problems;
}

/** Takes out what the settings of this folder, and Seam's own rules, call a secret. */
export function secretRemover(log: Log, cwd = process.cwd()): SecretRemover {
  let made: Redactor | undefined;
  let madeAt = 0;
  const said = new Set<string>();
  const redactor = () => {
    if (made && Date.now() - madeAt < FRESH_MS) return made;
    const { redaction } = loadSettings(cwd).settings;
    made = createRedactor({ ...redaction, env: process.env });
    madeAt = Date.now();
    for (const { message, next } of made.problems) {
      if (!said.has(message)) log("warn", `${message} ${next}`);
      said.add(message);
    }
    return made;
  };
  return {
    text: (text) => redactor().text(text),
    redact: async (lines) => {
      const { bytes, redactions } = await redactor().redact(lines);
      return withoutKeys(redactor(), bytes, redactions);
    },
    document: async (content) => {
      const { bytes, report } = await redactor().redactJson(content);
      if (!report.some(({ kept }) => kept)) return { bytes, redactions: report };
      const plain = await redactor().redactText(bytes);
      return { bytes: plain.bytes, redactions: [...report.filter(isGone), ...plain.report] };
    },
  };
}

const isGone = ({ kept }: Redaction) => !kept;

/**
 * A secret in the key of an object stays where a line is read as JSON. Such a line is taken as text:
 * better a key with another name than a secret in git.
 */
async function withoutKeys(
  redactor: Redactor,
  bytes: Buffer,
  redactions: readonly Redaction[],
): Promise<{ bytes: Buffer; redactions: readonly Redaction[] }> {
  const lines = new Set(redactions.flatMap(({ kept, line }) => (kept && line ? [line] : [])));
  if (lines.size === 0) return { bytes, redactions };
  const parts: Buffer[] = [];
  const found: Redaction[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const part = bytes.subarray(start, end);
    start = end;
    if (!lines.has(line)) {
      parts.push(part);
      continue;
    }
    const plain = await redactor.redactText(part);
    parts.push(plain.bytes);
    found.push(...plain.report.map((one) => ({ ...one, line })));
  }
  return { bytes: Buffer.concat(parts), redactions: [...redactions.filter(isGone), ...found] };
}
