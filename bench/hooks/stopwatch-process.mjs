// Starts programs, one after the other, and tells how long each took and what it said. A process of its
// own, because starting a program copies the process that asks, and that of a benchmark is large.
import { spawnSync } from "node:child_process";

process.on("message", ({ path, args, options }) => {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(path, args, { ...options, encoding: "utf8" });
  const ms = performance.now() - startedAt;
  process.send({ ms, status, stdout, stderr });
});
