// Prints the files in which tests failed, one on each line, from the report that vitest wrote. Prints
// nothing if the run failed for any other reason, or if so much failed that chance cannot be the reason.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** More files than this do not fail by chance in one run. */
const MOST_FILES = 3;

const { testResults = [] } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
if (failed.length > 0 && failed.length <= MOST_FILES) {
  process.stdout.write(failed.map((name) => `${relative(process.cwd(), name)}\n`).join(""));
}
