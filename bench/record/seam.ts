import { fileURLToPath } from "node:url";
import { DIST } from "../built.ts";

type Git = typeof import("../../src/git/index.ts");
type StateStores = typeof import("../../src/record/session/state-store.ts");
type Records = typeof import("../../src/record/repo-record.ts");
type Snapshots = typeof import("../../src/record/snapshot/take-snapshot.ts");
type Transcripts = typeof import("../../src/record/checkpoint/stored-transcript.ts");
type Checkpoints = typeof import("../../src/record/checkpoint/write-checkpoint.ts");
type NewStates = typeof import("../../src/record/session/new-state.ts");

export interface Built extends Git, StateStores, Records, Snapshots, Transcripts, Checkpoints {
  readonly newState: NewStates["newState"];
}

const FILES = [
  "git/index.js",
  "record/session/state-store.js",
  "record/session/new-state.js",
  "record/repo-record.js",
  "record/snapshot/take-snapshot.js",
  "record/checkpoint/stored-transcript.js",
  "record/checkpoint/write-checkpoint.js",
];

/** The parts of the built record that are measured by themselves. */
export async function built(): Promise<Built> {
  const modules = await Promise.all(FILES.map((file) => import(new URL(file, DIST).href)));
  return Object.assign({}, ...modules);
}

export const SEAM_COMMAND = fileURLToPath(new URL("bin/seam.js", DIST));
