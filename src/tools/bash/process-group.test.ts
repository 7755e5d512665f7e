import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { hasRunningMembers } from "./process-group.ts";

test("a group runs as long as one of its members does", async () => {
  const child = spawn("sh", ["-c", "sleep 60 & exit 0"], { detached: true, stdio: "ignore" });
  const group = child.pid ?? 0;
  await once(child, "exit");
  expect(await hasRunningMembers(group)).toBe(true);
  process.kill(-group, "SIGKILL");
  await expect.poll(() => hasRunningMembers(group)).toBe(false);
});

test.skipIf(!existsSync("/proc"))(
  "a member that ended but was never collected does not run",
  async () => {
    // A shell that has become another program never collects the children it had.
    const script = "setsid sh -c 'echo $$; exit 0' & exec sleep 60";
    const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [output] = await once(parent.stdout, "data");
      const group = Number(String(output));
      await expect.poll(() => hasRunningMembers(group)).toBe(false);
      expect(process.kill(-group, 0)).toBe(true);
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
