import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../../../errors/index.ts";
import { pause, readRegularText, replaceFile, SMALL_FILE, tryLock } from "../../../files/index.ts";
import { PROJECT_DIR, projectRoot } from "../../../settings/index.ts";

export type SettingsScope = "global" | "project";

/** Where settings are: the text of a scope is given to a function, and what it returns is kept. */
export interface SettingsStorage {
  withLock(scope: SettingsScope, change: (current: string | undefined) => string | undefined): void;
}

const PATIENCE_MS = 4_000;
const RETRY_MS = 10;

/** Not Seam's own settings file: there these would be unknown keys. */
const FILE = "pi-settings.json";

export class FileSettingsStorage implements SettingsStorage {
  readonly #paths: Readonly<Record<SettingsScope, string>>;

  constructor(cwd: string, agentDir: string) {
    const project = join(projectRoot(cwd), PROJECT_DIR, FILE);
    this.#paths = { global: join(agentDir, FILE), project };
  }

  withLock(
    scope: SettingsScope,
    change: (current: string | undefined) => string | undefined,
  ): void {
    const path = this.#paths[scope];
    const before = textOf(path);
    // Whoever only reads needs no lock: a file is replaced as a whole.
    if (change(before) === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    const lock = locked(`${path}.lock`);
    try {
      const next = change(textOf(path));
      if (next !== undefined) replaceFile(path, next);
    } finally {
      lock.release();
    }
  }
}

export class InMemorySettingsStorage implements SettingsStorage {
  readonly #texts = new Map<SettingsScope, string>();

  withLock(
    scope: SettingsScope,
    change: (current: string | undefined) => string | undefined,
  ): void {
    const next = change(this.#texts.get(scope));
    if (next !== undefined) this.#texts.set(scope, next);
  }
}

function locked(path: string): { release(): void } {
  for (const deadline = Date.now() + PATIENCE_MS; ; pause(RETRY_MS)) {
    const lock = tryLock(path);
    if (lock.isOurs) return lock;
    if (Date.now() > deadline) throw new Error(`${path} is held by another process.`);
  }
}

function textOf(path: string): string | undefined {
  try {
    return readRegularText(path, SMALL_FILE);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
