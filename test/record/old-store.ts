import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Checkout } from "./checkout.ts";
import type { Machine } from "./machine.ts";

/** Stands in the packed files for the folder they are unpacked to. */
export const BASE = "@BASE@";

/** The sessions in it. */
export const OLD = {
  /** Over; two checkpoints of its own and one with the second. */
  first: "11111111-aaaa-4bbb-8ccc-000000000001",
  /** Its last turn is in the journal, and its end in the spool. */
  second: "22222222-aaaa-4bbb-8ccc-000000000002",
  /** In the middle of a turn, with a commit behind it and a file in no commit. */
  open: "33333333-aaaa-4bbb-8ccc-000000000003",
} as const;

/** Checkpoints in it. */
export interface OldStore {
  readonly alone: string;
  readonly midTurn: string;
  /** Of two sessions. */
  readonly shared: string;
  /** Of a turn that has not ended. */
  readonly unfinished: string;
}

/** Unpacks what 0.1.0 left, as if it had always been on this machine. */
export function unpackOldStore(machine: Machine): { repo: Checkout; ids: OldStore } {
  const packed = join(import.meta.dirname, "store-0.1.0.tar.gz");
  execFileSync("tar", ["-xzf", packed, "-C", machine.base]);
  const repo = new Checkout(machine, join(machine.base, "repo"));
  for (const path of [machine.store, ".git/seam", ".git/hooks", ".claude"]) {
    settle(path === machine.store ? path : join(repo.root, path), machine.base);
  }
  const ids = JSON.parse(readFileSync(join(machine.base, "ids.json"), "utf8")) as OldStore;
  return { repo, ids };
}

function settle(path: string, base: string): void {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) settle(join(path, name), base);
    return;
  }
  const text = readFileSync(path, "latin1");
  if (text.includes(BASE)) writeFileSync(path, text.replaceAll(BASE, base), "latin1");
}
