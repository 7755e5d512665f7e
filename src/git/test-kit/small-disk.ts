import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { tempDir } from "./index.ts";

/** A disk of its own, if this user may make one. */
export function smallDisk(options: string): string | undefined {
  const dir = tempDir();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", dir], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", dir], { stdio: "ignore" }));
  return dir;
}

export function remountReadOnly(dir: string): void {
  execFileSync("mount", ["-o", "remount,ro", dir], { stdio: "ignore" });
}
