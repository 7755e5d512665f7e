import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentFolders, ForeignAgent } from "../agent.ts";
import { openReadable, type ReadableFile } from "./readable-file.ts";

const AGENTS = join(import.meta.dirname, "..");

/** Transcripts of the real programs; those of cursor and aider are written after documents. */
export const FIXTURES: readonly (readonly [agent: ForeignAgent, name: string])[] = [
  ["claude-code", "main.jsonl"],
  ["claude-code", "compacted.jsonl"],
  ["claude-code", "tui.jsonl"],
  ["codex", "rollout.jsonl"],
  ["codex", "subagent.jsonl"],
  ["pi", "main-resumed-compacted.jsonl"],
  ["pi", "forked.jsonl"],
  ["pi", "skill-command.jsonl"],
  ["pi", "tui-blocked-userbash-named.jsonl"],
  ["gemini", "session.jsonl"],
  ["gemini", "subagent.jsonl"],
  ["copilot-cli", "events.jsonl"],
  ["copilot-cli", "with-subagent.jsonl"],
  ["factoryai-droid", "session.jsonl"],
  ["factoryai-droid", "denied.jsonl"],
  ["cursor", "agent.jsonl"],
  ["cursor", "legacy.txt"],
  ["aider", "history.md"],
];

export function fixture(agent: ForeignAgent, name: string): string {
  return join(AGENTS, agent, "test-kit", "transcripts", name);
}

export function fixtureContent(agent: ForeignAgent, name: string): Buffer {
  return readFileSync(fixture(agent, name));
}

/** A folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "seam-transcripts-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function tempFile(content: string | Buffer = "", name = "transcript.jsonl"): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** A home and a project in a folder of their own. */
export function tempPlace(env: AgentFolders["env"] = {}): AgentFolders {
  const folder = tempFolder();
  const place = { project: join(folder, "work", "My app"), home: join(folder, "home"), env };
  mkdirSync(place.project, { recursive: true });
  mkdirSync(place.home, { recursive: true });
  return place;
}

export function copyFixture(agent: ForeignAgent, name: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(fixture(agent, name), target);
}

export const jsonLines = (...records: unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Opens files as usual, and counts what is really read of them. */
export function countingOpen() {
  const counted = { bytes: 0, reads: 0 };
  const open = (path: string): ReadableFile => {
    const file = openReadable(path);
    return {
      ...file,
      read(into, length, position) {
        const bytes = file.read(into, length, position);
        counted.bytes += bytes;
        counted.reads++;
        return bytes;
      },
    };
  };
  return { counted, open };
}

/** Opens files as usual, and does something once their size is known. */
export function openThen(then: (path: string) => void) {
  return (path: string): ReadableFile => {
    const file = openReadable(path);
    return {
      ...file,
      stat() {
        const stats = file.stat();
        then(path);
        return stats;
      },
    };
  };
}
