/**
 * The starter: a small process that runs programs for a large one. To start a program the system
 * copies the process that asks for it, which takes the longer the more memory that has: up to ten
 * milliseconds in the daemon, and one or two here.
 */
import { ProgramRuns } from "./program-runs.ts";
import type { Order } from "./protocol.ts";

process.title = "seam-starter";
const runs = new ProgramRuns((told) => {
  // Whoever asked may be gone by now.
  if (process.connected) process.send?.(told, undefined, undefined, () => {});
});
// Both ends are of one build, so a message is an order. Once the large process is gone nothing keeps
// this one: it ends as soon as what it runs is through.
process.on("message", (order) => runs.take(order as Order));
// A signal to the group of the large process is not meant for what runs here.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});
