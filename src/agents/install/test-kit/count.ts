import { readFileSync, writeFileSync } from "node:fs";
import { withInstallLock } from "../install-lock.ts";

// Adds one to a number in a file, many times: without the lock, some would be lost.
const [store = "", file = "", times] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  withInstallLock(store, () => {
    const count = Number(readFileSync(file, "utf8"));
    writeFileSync(file, String(count + 1));
  });
}
