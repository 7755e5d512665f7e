import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getNodeValue } from "jsonc-parser";
import { onTestFinished } from "vitest";
import type { AgentFolders } from "../../agent.ts";
import { fileOps } from "../file-ops.ts";
import { parseJsonText } from "../json-text.ts";

/** A home, a project and a Seam folder of their own. */
export interface Ground {
  readonly place: AgentFolders;
  readonly store: string;
  readonly base: string;
  /** Every file below, with what is in it. */
  files(): Record<string, string>;
}

export function newGround(): Ground {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-install-")));
  const [home, project, store] = ["home", "project", "store"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home);
  mkdirSync(project);
  const place = { home, project, env: { PATH: "" } };
  return { base, place, store, files: () => filesBelow(base) };
}

/** One that is gone after the test. */
export function ground(): Ground {
  const made = newGround();
  onTestFinished(() => rmSync(made.base, { recursive: true, force: true }));
  return made;
}

export function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** What a file means, comments and all else aside. */
export function meaningOf(path: string): Record<string, unknown> {
  const json = parseJsonText(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  if ("what" in json) throw new Error(`${path}: ${json.what}`);
  return json.root ? JSON.parse(JSON.stringify(getNodeValue(json.root))) : {};
}

function filesBelow(base: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(base, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(base.length + 1);
    if (name.startsWith("store")) continue;
    found[name] = entry.isDirectory()
      ? "folder"
      : existsSync(path)
        ? readFileSync(path, "base64")
        : "no target";
  }
  return found;
}

/** File operations that fail at the given step, and how many steps there were. */
export function failingOps(failAt: number, error: Error) {
  let steps = 0;
  const ops = fileOps(() => {
    if (++steps === failAt) throw error;
  });
  return { ops, steps: () => steps };
}
