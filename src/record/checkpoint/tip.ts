import { rmSync } from "node:fs";
import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { readText, replaceFile } from "../../files/index.ts";
import {
  brokenRef,
  isCollecting,
  ObjectStore,
  type Repo,
  readRef,
  readTree,
  updateRef,
} from "../../git/index.ts";
import { restoreCollected } from "../publish-objects.ts";
import type { Log } from "../recording-context.ts";
import { seamDirOf } from "../seam-dir.ts";
import { ASIDE_PREFIX, setAside } from "../set-aside.ts";
import { isCheckpointId } from "./checkpoint-files.ts";
import { CHECKPOINTS_REF } from "./metadata.ts";

interface Tip {
  /** The newest state of all checkpoints; undefined if there are none. */
  readonly commit?: string | undefined;
  /** What the reference leads to, be it checkpoints or not. */
  readonly at?: string | undefined;
  /** What is wrong with the reference. */
  readonly wrong?: string;
}

/** The newest state of all checkpoints; undefined if there are none. */
export async function checkpointsTip(store: ObjectStore): Promise<string | undefined> {
  return (await tipOf(store)).commit;
}

/**
 * The same for whoever is going to write. A reference that leads to something else than
 * checkpoints is put aside and said: it must not lead there, and what it leads to is not Seam's.
 */
export async function tipToWriteOn(store: ObjectStore, log?: Log): Promise<Tip> {
  const { repo } = store;
  const found = await tipOf(store);
  if (found.wrong === undefined) return found;
  if (found.at !== undefined && isCollecting(repo) && !(await store.has(found.at))) {
    // A clean-up may have taken it from another process, which is going to write it again.
    throw new SeamError("SEAM_GIT_OBJECT", { id: found.at, detail: "a clean-up removed it" });
  }
  const from = found.commit === undefined ? "" : `; they go on from ${found.commit}`;
  log?.("warn", `${CHECKPOINTS_REF} does not lead to checkpoints: ${found.wrong}${from}`);
  if (found.at === undefined) {
    await setAside(repo, CHECKPOINTS_REF);
    return { ...found, at: await readRef(repo, CHECKPOINTS_REF) };
  }
  if (await store.has(found.at)) {
    await updateRef(repo, `${ASIDE_PREFIX}${Date.now()}`, found.at, undefined);
  }
  return found;
}

/** Where the checkpoints are, and what is wrong with the reference that should say so. */
export async function tipOf(store: ObjectStore): Promise<Tip> {
  const broken = await brokenRef(store.repo, CHECKPOINTS_REF);
  if (broken !== undefined) return { commit: await lastTip(store), wrong: `it is ${broken}` };
  const at = await readRef(store.repo, CHECKPOINTS_REF);
  if (at === undefined || (await holdsCheckpoints(store, at))) return { commit: at, at };
  await restoreCollected(store.repo);
  if (await holdsCheckpointsAnew(store.repo, at)) return { commit: at, at };
  return { commit: await lastTip(store), at, wrong: `it is at ${at}` };
}

/** Reads with a new git process, which has nothing cached. */
async function holdsCheckpointsAnew(repo: Repo, commit: string): Promise<boolean> {
  const store = new ObjectStore(repo);
  try {
    return await holdsCheckpoints(store, commit);
  } finally {
    await store.close();
  }
}

/** Whether it is a commit with checkpoints, or with nothing, in it. */
export async function holdsCheckpoints(store: ObjectStore, commit: string): Promise<boolean> {
  if ((await store.info(commit))?.type !== "commit") return false;
  const root = await store.info(`${commit}^{tree}`);
  const entries = root && (await readTree(store, root.id));
  if (!entries) return false;
  if (entries.length === 0) return true;
  for (const { name, id } of entries.filter((one) => one.name.length === 2)) {
    const below = (await readTree(store, id).catch(() => undefined)) ?? [];
    if (below.some((one) => isCheckpointId(`${name}${one.name}`))) return true;
  }
  return false;
}

const tipFile = (store: ObjectStore) => join(seamDirOf(store.repo), "checkpoints");

/** Several are kept, because the newest object is the one that a power failure destroys. */
const REMEMBERED = 10;

/** Keeps a copy, in case something happens to the reference. */
export function rememberTip(store: ObjectStore, commit: string): void {
  try {
    const tips = [...lastTips(store), commit].slice(-REMEMBERED);
    replaceFile(tipFile(store), `${tips.join("\n")}\n`);
  } catch {
    // The reference itself leads to it.
  }
}

/** Only this one is left to go back to; undefined: none is. */
export function forgetTips(store: ObjectStore, commit: string | undefined): void {
  if (commit !== undefined) replaceFile(tipFile(store), `${commit}\n`);
  else rmSync(tipFile(store), { force: true });
}

async function lastTip(store: ObjectStore): Promise<string | undefined> {
  for (const commit of lastTips(store).reverse()) {
    if (await holdsCheckpoints(store, commit)) return commit;
  }
  return undefined;
}

/** Where the reference was lately, oldest first. */
export function lastTips(store: ObjectStore): string[] {
  const lines = (readText(tipFile(store)) ?? "").split("\n");
  return lines.filter((line) => /^[0-9a-f]{40,64}$/.test(line)).slice(-REMEMBERED);
}
