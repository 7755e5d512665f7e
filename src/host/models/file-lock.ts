import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../../errors/index.ts";

const RETRY_MS = 50;
/** Whoever held the lock longer than this is gone. */
const STALE_MS = 60_000;

/** Runs something while no other process does the same with this file. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await acquired(lock))) await sleep(RETRY_MS);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquired(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx", 0o600)).close();
    return true;
  } catch (thrown) {
    if (systemCode(thrown) !== "EEXIST") throw thrown;
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(lock, { force: true });
    return false;
  }
}
