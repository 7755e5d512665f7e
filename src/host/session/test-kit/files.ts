import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A folder of its own for every test. */
export function tempFolder(): { readonly path: string } {
  const folder = { path: "" };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), "seam-session-"));
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}

export const HEADER = {
  type: "session",
  version: 3,
  id: "the-id",
  timestamp: "2026-01-02T03:04:05.678Z",
  cwd: "/project",
} as const;

export const user = (content: string) => ({ role: "user", content, timestamp: 1 }) as const;

/** A message as a line of a file. */
export const line = (id: string, parentId: string | null, text = id) => ({
  type: "message" as const,
  id,
  parentId,
  timestamp: "2026-01-02T03:04:06.000Z",
  message: user(text),
});

/** Strings are written as they are, everything else as JSON. */
export function writeLines(path: string, lines: readonly unknown[]): string {
  const text = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  writeFileSync(path, `${text.join("\n")}\n`);
  return path;
}

export function readLinesOf(path: string): unknown[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((text) => text !== "").map((text) => JSON.parse(text));
}

/** What is in a folder apart from the lock. */
export const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.endsWith(".lock"))
    .sort();
