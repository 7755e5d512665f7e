import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { SessionHeader } from "../../events/index.ts";
import { seamHome } from "../../settings/index.ts";

const LONGEST_NAME = 255;

/** The folder that holds one folder of sessions per project. */
export function sessionsRoot(): string {
  return join(seamHome(), "sessions");
}

/** The folder of a project's sessions. Several projects may share one: the header decides. */
export function sessionDir(cwd: string, root: string = sessionsRoot()): string {
  const flat = cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
  const name = `--${flat}--`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return join(root, name);
  // Four bytes is the longest a character can be.
  const hash = createHash("sha256").update(cwd).digest("hex").slice(0, 16);
  return join(root, `--${flat.slice(0, 50)}-${hash}--`);
}

export function sessionFileName({ timestamp, id }: SessionHeader): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id.replace(/[^\w.-]/g, "-")}.jsonl`;
}

/** What the name of a session file says about it. A name of another scheme is the id itself. */
export function fromFileName(path: string): { id: string; timestamp: string | undefined } {
  const name = basename(path, ".jsonl");
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_(.+)$/s.exec(name);
  if (!parts) return { id: name, timestamp: undefined };
  const [, day, hours, minutes, seconds, ms, id = name] = parts;
  return { id, timestamp: `${day}T${hours}:${minutes}:${seconds}.${ms}Z` };
}
