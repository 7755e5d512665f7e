import { writeSync } from "node:fs";
import { SessionFile } from "../session-file.ts";

// Opens a session and keeps it open until its input ends; says how that went.
try {
  SessionFile.open(process.argv[2] ?? "");
  writeSync(1, "open\n");
} catch (error) {
  writeSync(1, `${error instanceof Error && "code" in error ? error.code : error}\n`);
}
process.stdin.resume();
