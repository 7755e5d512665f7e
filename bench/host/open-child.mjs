// Takes up a session once, in a process of its own, and tells what that took. Plain JavaScript: a
// compiler in this process would count as memory.
import { closeSync, openSync, readSync } from "node:fs";

/** Each returns how many entries there are, and what keeps them in memory. */
const WAYS = {
  seam: async (url) => {
    const { SessionFile } = await import(url);
    return (path) => {
      const { session, problems } = SessionFile.open(path);
      if (problems.length > 0) throw new Error(problems[0].message);
      return { entries: session.getEntries().length, kept: session };
    };
  },
  lines: async () => (path) => {
    const kept = parsedLines(path);
    return { entries: kept.length - 1, kept };
  },
};

/** The least it takes: the file in chunks, each line parsed, the objects kept. */
function parsedLines(path) {
  const objects = [];
  const bytes = Buffer.allocUnsafe(4 * 1024 * 1024);
  const fd = openSync(path, "r");
  let begun = 0;
  for (;;) {
    const read = readSync(fd, bytes, begun, bytes.length - begun);
    if (read === 0) break;
    const filled = bytes.subarray(0, begun + read);
    let start = 0;
    for (let end = filled.indexOf(10, begun); end !== -1; end = filled.indexOf(10, start)) {
      objects.push(JSON.parse(filled.toString("utf8", start, end)));
      start = end + 1;
    }
    begun = filled.copy(bytes, 0, start);
  }
  closeSync(fd);
  return objects;
}

process.once("message", async ({ way, url, path }) => {
  const open = await WAYS[way](url);
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const { entries, kept } = open(path);
  const ms = performance.now() - startedAt;
  const peak = process.resourceUsage().maxRSS * 1024;
  if (!kept) throw new Error("Nothing was kept.");
  process.send({ ms, entries, bytes: peak - before }, () => process.exit(0));
});
