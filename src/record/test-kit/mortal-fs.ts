import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Every call through which the record changes a file. */
const WRITES = [
  "writeFileSync",
  "writeSync",
  "renameSync",
  "rmSync",
  "unlinkSync",
  "linkSync",
  "mkdirSync",
  "utimesSync",
  "ftruncateSync",
] as const;

/**
 * Runs something whose process dies before its n-th change to a file: from there on nothing is
 * written any more, however much is tried. Returns whether it came to that.
 */
export async function dyingBefore(n: number, work: () => Promise<unknown>): Promise<boolean> {
  const table = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = WRITES.map((name) => [name, table[name]] as const);
  let calls = 0;
  for (const [name, call] of real) {
    table[name] = (...args) => {
      if (calls++ >= n) throw new Error(`killed at ${name}`);
      return call?.(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    await work();
  } catch {
    // What it says in its last moment is heard by nobody.
  } finally {
    for (const [name, call] of real) if (call) table[name] = call;
    syncBuiltinESMExports();
  }
  return calls > n;
}
