// Adds up the tokens of a transcript, in a process of its own, and tells what that took. Plain
// JavaScript: a compiler in this process would count as memory.
import { appendFileSync, createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const WAYS = {
  Seam: async ({ scan, format }) => {
    const { scanTranscript } = await import(scan);
    const { transcript } = await import(format);
    return async (path, from) => {
      const { total, state, bytesRead } = await scanTranscript(transcript, path, {
        want: "tokens",
        from,
      });
      return { outputTokens: total.output_tokens, state, bytesRead };
    };
  },
  /** What is written first by everyone. */
  readline: async () => async (path) => {
    const usages = new Map();
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const { message } = JSON.parse(line);
      if (message?.usage) usages.set(message.id, message.usage.output_tokens);
    }
    let outputTokens = 0;
    for (const tokens of usages.values()) outputTokens += tokens;
    return { outputTokens };
  },
};

async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { ...result, ms: performance.now() - startedAt };
}

process.once("message", async ({ way, path, append = [], ...modules }) => {
  const read = await WAYS[way](modules);
  const before = process.memoryUsage.rss();
  const { ms, outputTokens, state } = await timed(() => read(path));
  const bytes = process.resourceUsage().maxRSS * 1024 - before;
  const report = { ms, outputTokens, bytes };
  let known = state;
  for (const text of append) {
    appendFileSync(path, text);
    const { state: next, ...appended } = await timed(() => read(path, known));
    known = next;
    // The last one counts: the first pays for code that was never run before.
    report.appended = appended;
  }
  process.send(report, () => process.exit(0));
});
