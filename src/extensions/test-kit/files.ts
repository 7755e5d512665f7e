import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Text, or something to be stored as JSON, by path. */
export type Files = Readonly<Record<string, string | object>>;

/** A folder that is gone after the test. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "seam-test-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Makes a temporary folder the user's Seam folder for this test. */
export function tempHome(files: Files = {}): string {
  const before = process.env.SEAM_HOME;
  const dir = tempDir();
  process.env.SEAM_HOME = dir;
  onTestFinished(() => {
    if (before === undefined) delete process.env.SEAM_HOME;
    else process.env.SEAM_HOME = before;
  });
  write(dir, files);
  return dir;
}

export function write(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}
