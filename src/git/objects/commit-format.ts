/** Who and when. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

export interface CommitFields {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** The content of a commit object. */
export function formatCommit({ tree, parents, author, committer, message }: CommitFields): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(author)}`,
    `committer ${formatSignature(committer)}`,
  ];
  // git cuts a message at a NUL, and counts it as damage.
  const text = message.replaceAll("\0", "").replace(/\n*$/, "\n");
  return Buffer.from(`${lines.join("\n")}\n\n${text}`);
}

export function formatSignature({ name, email, time, offset }: Signature): string {
  const sign = offset < 0 ? "-" : "+";
  const minutes = Math.abs(Math.trunc(offset));
  const zone = `${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
  const seconds = Math.max(0, Math.trunc(time));
  return `${plain(name) || "Seam"} <${plain(email)}> ${seconds} ${sign}${zone}`;
}

const pad = (number: number) => String(number).padStart(2, "0");

/** Without what would end the name or the line, and without what git strips at the ends. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end lines
  const clean = text.replace(/[\x00-\x1f\x7f<>]/g, "");
  return clean.replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, "");
}

/** `Name <mail> seconds zone`; damaged ones give what can be read. */
export function parseSignature(text: string): Signature {
  const [, name = "", email = "", rest = ""] = /^(.*?) ?<([^>]*)>(.*)$/s.exec(text) ?? [];
  const [, time = "0", sign, hours = "0", minutes = "0"] =
    /^ (-?\d+)(?: ([+-])(\d\d)(\d\d))?/.exec(rest) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return { name, email, time: Number(time), offset: offset === 0 ? 0 : offset };
}
