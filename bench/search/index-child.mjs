// Reads transcripts, in a process of its own, and tells what that took. Plain JavaScript: a compiler
// in this process would count as memory.
import { createReadStream, rmSync } from "node:fs";
import { createInterface } from "node:readline";

/** All lines of all files, parsed: what everybody who reads them has to do. */
async function readAll(files) {
  let lines = 0;
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      JSON.parse(line);
      lines++;
    }
  }
  return { lines };
}

async function index({ home, seam, rooms, isFresh }) {
  process.env.SEAM_HOME = seam;
  const { Indexer } = await import(`${rooms}search/indexing/indexer.js`);
  const { ALL_AGENTS } = await import(`${rooms}agents/index.js`);
  if (isFresh) rmSync(`${seam}/search`, { recursive: true, force: true });
  const log = (_, text) => process.stderr.write(`${text}\n`);
  const folders = { home, env: {} };
  const indexer = new Indexer({ home: seam, agents: ALL_AGENTS, folders, log });
  return { run: () => indexer.pass(), end: () => indexer.close() };
}

/** How large the indexes are, and the texts that are in them. */
async function sizesOf(seam) {
  const { default: Database } = await import("libsql");
  const database = new Database(`${seam}/search/index.db`);
  const bytes = (names) =>
    database.prepare(`SELECT sum(pgsize) AS n FROM dbstat WHERE ${names}`).get().n ?? 0;
  const text = (roles) =>
    database
      .prepare(`SELECT sum(length(CAST(text AS BLOB))) AS n FROM entries WHERE role ${roles}`)
      .get().n ?? 0;
  const said = { index: bytes("name LIKE 'words%' OR name LIKE 'grams%'"), text: text("< 6") };
  const tools = { index: bytes("name LIKE 'outputs%'"), text: text(">= 6") };
  const entries = database.prepare("SELECT count(*) AS n FROM entries").get().n;
  database.close();
  return { said, tools, entries };
}

process.once("message", async (request) => {
  const work =
    request.way === "index"
      ? await index(request)
      : { run: () => readAll(request.files), end: async () => {} };
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const result = await work.run();
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - startedAt;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  await work.end();
  const sizes = request.wantsSizes ? await sizesOf(request.seam) : undefined;
  process.send({ ...result, ms, cpuMs: (user + system) / 1000, megabytes, sizes }, () =>
    process.exit(0),
  );
});
