import { join } from "node:path";
import { claudeCode } from "../../claude-code/index.ts";
import { disable, enable } from "../enable.ts";
import { fileOps } from "../file-ops.ts";

// Enables or disables Claude Code at project level in a test's ground; ends itself at a step.
const [base = "", how, killAt] = process.argv.slice(2);
const place = { home: join(base, "home"), project: join(base, "project"), env: {} };
let steps = 0;
const ops = fileOps(() => {
  if (++steps === Number(killAt)) process.kill(process.pid, "SIGKILL");
});
const change = how === "disable" ? disable : enable;
try {
  change([{ agent: claudeCode, level: "project" }], { place, store: join(base, "store"), ops });
  process.stdout.write("done");
} catch (thrown) {
  process.stdout.write(JSON.stringify(thrown));
}
