import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ErrorCode } from "../../errors/index.ts";
import type { ExtensionContext } from "../api/context.ts";
import type { ExtensionAPI } from "../api/extension-api.ts";
import type { ExtensionSet } from "../extension-set.ts";
import { type LoadOptions, loadExtensions } from "../load/load-extensions.ts";
import type { ExtensionProblem } from "../problem.ts";
import { type Files, tempDir, write } from "./files.ts";

declare global {
  /** What test extensions tell their test. */
  var seen: unknown[];
  /** What test extensions hand to their test. */
  var given: { pi?: ExtensionAPI; ctx?: ExtensionContext };
}

export interface Loaded {
  readonly set: ExtensionSet;
  readonly dir: string;
  /** Filled by `seen.push(…)` in the extensions. */
  readonly seen: unknown[];
  /** The `pi` an extension put into `given.pi`. */
  pi(): ExtensionAPI;
  /** The `ctx` an extension put into `given.ctx`. */
  ctx(): ExtensionContext;
  path(name: string): string;
  codes(): ErrorCode[];
  /** The only problem with this code. */
  problem(code: ErrorCode): ExtensionProblem;
}

type Options = Partial<LoadOptions> & {
  /** Which of the files are extensions; all, unless told otherwise. */
  entries?: readonly string[];
};

/** Writes extensions into a temporary folder and loads them in this order. */
export async function load(files: Files, options: Options = {}): Promise<Loaded> {
  const dir = tempDir();
  write(dir, files);
  return loadFrom(dir, { entries: Object.keys(files), ...options });
}

export async function loadFrom(dir: string, options: Options): Promise<Loaded> {
  const seen: unknown[] = [];
  const given: typeof globalThis.given = {};
  Object.assign(globalThis, { seen, given });
  const { entries = [], ...rest } = options;
  const set = await loadExtensions({ cwd: dir, sources: entries, ...rest });
  onTestFinished(() => set.dispose());
  const codes = () => set.problems.map(({ error }) => error.code);
  return {
    set,
    dir,
    seen,
    pi: () => there(given.pi, "pi"),
    ctx: () => there(given.ctx, "ctx"),
    path: (name) => join(dir, name),
    codes,
    problem: (code) => {
      const [problem, ...more] = set.problems.filter(({ error }) => error.code === code);
      if (!problem || more.length > 0) {
        throw new Error(`Expected one ${code}, got: ${codes().join(", ") || "no problems"}`);
      }
      return problem;
    },
  };
}

function there<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`No extension put its ${what} into given.${what}.`);
  return value;
}

/** An extension that does nothing but say it is there. */
export const BYSTANDER = `export default (pi) => {
  pi.on("turn_start", () => seen.push("bystander"));
};`;

export const TOOL_CALL = {
  type: "tool_call",
  toolName: "bash",
  toolCallId: "call-1",
  input: { command: "ls" },
} as const;

export const TURN_START = { type: "turn_start", turnIndex: 0, timestamp: 0 } as const;
