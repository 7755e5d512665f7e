import { writeSync } from "node:fs";
import { SessionFile } from "../session-file.ts";

// Says the id of every entry once it has been added.
const { session } = SessionFile.open(process.argv[2] ?? "");
for (let n = 0; ; n++) {
  const content = "long enough to be cut off in the middle ".repeat((n * 37) % 3000);
  writeSync(1, `${session.appendMessage({ role: "user", content, timestamp: n })}\n`);
}
