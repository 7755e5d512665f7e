import type { Span } from "./span.ts";

/** Secretlint's rules, and what Seam calls what they find. */
export const KIND_OF_RULE: Readonly<Record<string, string>> = {
  "1password": "onepassword-token",
  anthropic: "anthropic-key",
  aws: "aws-secret-key",
  basicauth: "url-credentials",
  "database-connection-string": "url-credentials",
  databricks: "databricks-token",
  docker: "docker-token",
  figma: "figma-token",
  gcp: "google-oauth",
  github: "github-token",
  gitlab: "gitlab-token",
  grafana: "grafana-token",
  groq: "groq-key",
  "hashicorp-vault": "vault-token",
  huggingface: "huggingface-token",
  linear: "linear-key",
  notion: "notion-token",
  npm: "npm-token",
  openai: "openai-key",
  privatekey: "private-key",
  sendgrid: "sendgrid-key",
  shopify: "shopify-token",
  slack: "slack-token",
  vercel: "vercel-token",
};

/** `<user>:<password>`, as manuals write what the reader has to fill in. */
const BLANKS_OF_A_FORM = /^<[A-Za-z][A-Za-z _-]*>:<[A-Za-z][A-Za-z _-]*>$/;

type Rule = typeof import("@secretlint/secretlint-rule-preset-recommend")["rules"][number];
type Context = Parameters<Rule["create"]>[0];
type Report = Parameters<Context["report"]>[0];
type Source = Parameters<NonNullable<ReturnType<Rule["create"]>["file"]>>[0];
type Lint = (text: string) => Promise<Span[]>;

let loading: Promise<Lint> | undefined;

/**
 * Secretlint's own rules on a text. They are loaded when the first question comes: nothing that has
 * no question pays for it.
 */
export async function askSecretlint(text: string): Promise<Span[]> {
  loading ??= load();
  const lint = await loading;
  return lint(text);
}

/**
 * The rules are called one by one. Secretlint's core would do the same, but marks every step on the
 * process's timeline and never clears it: a process that stays would slow down with every call.
 */
async function load(): Promise<Lint> {
  const { rules } = await import("@secretlint/secretlint-rule-preset-recommend");
  return async (text) => {
    const spans: Span[] = [];
    for (const rule of rules) {
      const name = rule.meta.id.split("secretlint-rule-").at(-1) ?? "";
      const kind = KIND_OF_RULE[name] ?? "secretlint";
      const report = (found: Report) => {
        const { start, end } = valueRange(text, found, kind);
        if (!BLANKS_OF_A_FORM.test(text.slice(start, end))) spans.push({ start, end, kind });
      };
      await rule.create(contextFor(report), {}).file?.(sourceOf(text));
    }
    return spans;
  };
}

function contextFor(report: (found: Report) => void): Context {
  return {
    sharedOptions: {},
    createTranslator: () => (messageId, data) => ({
      message: String(messageId),
      messageId: String(messageId),
      data,
    }),
    report,
    // One rule obeys comments that switch the others off: a transcript must not be able to.
    ignore: () => {},
  };
}

/** A text without a file: no rule can go and read one. */
function sourceOf(content: string): Source {
  const nowhere = { line: 1, column: 0 };
  return {
    content,
    hasBOM: false,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: "text",
    ext: ".txt",
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: nowhere, end: nowhere }),
    positionToIndex: () => 0,
    indexToPosition: () => nowhere,
  };
}

/**
 * Some rules report the place of the name with the length of the value, which leaves the end of the
 * value out. The value itself is in the data, so that is looked for.
 */
function valueRange(
  text: string,
  { range: [start, end], message }: Report,
  kind: string,
): { start: number; end: number } {
  const reported = text.slice(start, end);
  if (kind === "url-credentials") {
    const from = reported.indexOf("//") + 2;
    const to = reported.lastIndexOf("@");
    return to > from ? { start: start + from, end: start + to } : { start, end };
  }
  const data: unknown = message.data;
  const values = Object.values(data ?? {}).filter((value) => typeof value === "string");
  if (values.includes(reported)) return { start, end };
  for (const value of values) {
    const at = value === "" ? -1 : text.indexOf(value, start);
    if (at >= 0) return { start: at, end: at + value.length };
  }
  return { start, end };
}
