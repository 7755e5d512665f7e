import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file for the user alone; others see the old one or the new one, never a part. */
export function writePrivate(path: string, text: string, mode = 0o600): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
