import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answered, asked, CLAUDE, searchPlace } from "../test-kit/place.ts";
import type { Progress } from "./indexer.ts";

const sessions = ({ hits }: { hits: readonly { session: string }[] }) =>
  hits.map(({ session }) => session);

describe("what is read", () => {
  it("a second pass with nothing new reads no byte of any transcript", async () => {
    const place = searchPlace();
    for (const id of ["a", "b"]) place.write(`${CLAUDE}/${id}.jsonl`, asked(`walrus ${id}`));
    expect(await place.indexer().pass()).toMatchObject({ sources: 2, entries: 2 });
    const again = await place.indexer().pass();
    expect(again).toEqual({ sources: 0, entries: 0, bytesRead: 0, failed: 0 });
  });

  it("of a transcript that grew, only what was appended is read", async () => {
    const place = searchPlace();
    const long = asked("walrus ".repeat(20_000));
    const file = place.write(`${CLAUDE}/a.jsonl`, long);
    const indexer = place.indexer();
    await indexer.pass();
    const line = asked("narwhal");
    appendFileSync(file, line.slice(0, 40));
    expect((await indexer.pass()).entries).toBe(0);
    appendFileSync(file, line.slice(40));
    const { bytesRead, entries } = await indexer.pass();
    expect(entries).toBe(1);
    // What was appended, and samples by which the file is known again.
    expect(bytesRead).toBeLessThan(line.length + 4 * 512 + 1);
    expect(place.search("narwhal").hits).toHaveLength(1);
    expect(place.search("walrus").hits[0]?.hits).toBe(1);
  });

  it("how far it is in one long transcript is told while it is read", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    place.write(`${CLAUDE}/long.jsonl`, asked("narwhal ".repeat(10_000)).repeat(200));
    const told: Progress[] = [];
    await place.indexer({ onProgress: (progress) => told.push(progress) }).pass();
    const inside = told.filter(
      ({ bytes, bytesDone }) => bytesDone > 1_000_000 && bytesDone < bytes,
    );
    expect(inside.length).toBeGreaterThan(1);
    const done = told.map(({ bytesDone }) => bytesDone);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(told.at(-1)).toEqual({
      sources: 2,
      sourcesDone: 2,
      bytes: told[0]?.bytes,
      bytesDone: told[0]?.bytes,
    });
  });

  it("a transcript that was rewritten or cut is read anew, and what it said before is gone", async () => {
    const place = searchPlace();
    const file = place.write(`${CLAUDE}/a.jsonl`, asked("walrus") + asked("narwhal here"));
    const indexer = place.indexer();
    await indexer.pass();
    truncateSync(file, asked("walrus").length);
    await indexer.pass();
    expect(place.search("narwhal").hits).toEqual([]);
    expect(place.search("walrus").hits[0]?.hits).toBe(1);
    writeFileSync(file, asked("beluga and more text than before"));
    await indexer.pass();
    expect(place.search("walrus").hits).toEqual([]);
    expect(place.search("beluga").hits).toHaveLength(1);
    expect(place.search("elug", { substring: true }).hits).toHaveLength(1);
    expect(place.search("alru", { substring: true }).hits).toEqual([]);
  });

  it("a document of older Gemini versions is read anew when it changed", async () => {
    const place = searchPlace();
    const path = ".gemini/tmp/app/chats/session-2026-01-01T00-00-abcdefab.json";
    const document = (...texts: string[]) =>
      JSON.stringify({
        sessionId: "abcdefab-1",
        projectHash: "x",
        messages: texts.map((text, id) => ({ id: `m${id}`, type: "user", content: text })),
      });
    place.write(path, document("walrus"));
    const indexer = place.indexer();
    await indexer.pass();
    place.write(path, document("walrus", "narwhal"));
    await indexer.pass();
    expect(place.search("walrus").hits[0]).toMatchObject({ agent: "gemini", hits: 1 });
    expect(place.search("narwhal").hits).toHaveLength(1);
  });

  it("a transcript that is gone stays to be found", async () => {
    const place = searchPlace();
    const file = place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    await place.indexer().pass();
    rmSync(file);
    await place.indexer().pass();
    expect(sessions(place.search("walrus"))).toEqual(["a"]);
  });

  it("what a subagent said is found under the session that started it", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    place.write(`${CLAUDE}/a/subagents/agent-x.jsonl`, asked("narwhal"));
    await place.indexer().pass();
    expect(sessions(place.search("narwhal"))).toEqual(["a"]);
  });
});

describe("what is odd", () => {
  it("garbage, unknown lines, empty files, folders and pipes in place of files stop nothing", async () => {
    const place = searchPlace();
    const odd = `not json\n{"type":"brand-new","x":1}\n[1]\nnull\n${asked("walrus")}{"cut": `;
    place.write(
      `${CLAUDE}/odd.jsonl`,
      Buffer.concat([Buffer.from(odd), Buffer.from([0xff, 0x00])]),
    );
    place.write(`${CLAUDE}/empty.jsonl`, "");
    mkdirSync(join(place.home, CLAUDE, "folder.jsonl"));
    execFileSync("mkfifo", [join(place.home, CLAUDE, "pipe.jsonl")]);
    expect(await place.indexer().pass()).toMatchObject({ failed: 0 });
    expect(sessions(place.search("walrus"))).toEqual(["odd"]);
  });

  it.skipIf(process.getuid?.() === 0)(
    "a transcript that may not be read is tried again",
    async () => {
      const place = searchPlace();
      const file = place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
      chmodSync(file, 0);
      const indexer = place.indexer();
      expect(await indexer.pass()).toMatchObject({ failed: 1 });
      chmodSync(file, 0o600);
      expect(await indexer.pass()).toMatchObject({ failed: 0, entries: 1 });
    },
  );

  it("a transcript that cannot be opened is noted, and the others are read", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    place.write(`${CLAUDE}/b.jsonl`, asked("narwhal"));
    const { openReadable } = await import("../../agents/transcripts/readable-file.ts");
    let isBroken = true;
    const open = (path: string) => {
      if (isBroken && path.endsWith("a.jsonl"))
        throw Object.assign(new Error("no"), { code: "EACCES" });
      return openReadable(path);
    };
    const indexer = place.indexer({ open });
    expect(await indexer.pass()).toMatchObject({ failed: 1 });
    expect(sessions(place.search("narwhal"))).toEqual(["b"]);
    isBroken = false;
    expect(await indexer.pass()).toMatchObject({ failed: 0, sources: 1, entries: 1 });
  });

  it("what is appended while a transcript is read is read the next time", async () => {
    const place = searchPlace();
    const file = place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    const { openReadable } = await import("../../agents/transcripts/readable-file.ts");
    let hasGrown = false;
    const open = (path: string) => {
      const opened = openReadable(path);
      return {
        ...opened,
        read: (into: Buffer, length: number, position: number) => {
          if (!hasGrown) appendFileSync(file, asked("narwhal"));
          hasGrown = true;
          return opened.read(into, length, position);
        },
      };
    };
    await place.indexer({ open }).pass();
    await place.indexer().pass();
    expect(place.search("walrus").hits[0]?.hits).toBe(1);
    expect(place.search("narwhal").hits[0]?.hits).toBe(1);
  });
});

describe("what is kept out", () => {
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

  it("secrets are in no file of the index, whoever said them", async () => {
    const place = searchPlace();
    const call = {
      type: "tool_use",
      id: "t",
      name: "Bash",
      input: { command: `curl -H ${token}`, password: "Summer2024!" },
    };
    const result = {
      type: "tool_result",
      tool_use_id: "t",
      content: `token ${token}\n${"x ".repeat(9_000)}`,
    };
    place.write(
      `${CLAUDE}/a.jsonl`,
      asked(`walrus ${token}`) +
        answered(`use ${token}`, { content: [call] }) +
        asked("", { message: { role: "user", content: [result] } }),
    );
    const indexer = place.indexer();
    await indexer.pass();
    await indexer.close();
    const { text } = place.search("walrus").hits[0]?.snippet ?? {};
    expect(text).toContain("[REDACTED:github-token]");
    expect(place.search(token).hits).toEqual([]);
    expect(place.search("Summer2024", { in: "all" }).hits).toEqual([]);
    for (const file of ["index.db", "index.db-wal"]) {
      const path = join(place.seam, "search", file);
      if (existsSync(path)) expect(readFileSync(path).includes(token)).toBe(false);
    }
  });

  it("what the settings call a secret is one here, too", async () => {
    const place = searchPlace();
    writeFileSync(
      join(place.seam, "settings.json"),
      JSON.stringify({ redaction: { patterns: ["acme-internal"] } }),
    );
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus at acme-internal now"));
    await place.indexer().pass();
    expect(place.search("walrus").hits[0]?.snippet.text).toContain("[REDACTED:own-pattern]");
  });

  it("the index is for its user alone", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    await place.indexer().pass();
    expect(statSync(join(place.seam, "search")).mode & 0o077).toBe(0);
    expect(statSync(join(place.seam, "search/index.db")).mode & 0o077).toBe(0);
  });

  it("a session that was forgotten is gone, also after the index was made anew", async () => {
    const place = searchPlace();
    const file = place.write(`${CLAUDE}/a.jsonl`, asked("walrus") + answered("yes"));
    place.write(`${CLAUDE}/b.jsonl`, asked("walrus too"));
    const indexer = place.indexer();
    await indexer.pass();
    await indexer.forget("a");
    expect(sessions(place.search("walrus"))).toEqual(["b"]);
    expect(place.search("alru", { substring: true }).hits).toHaveLength(1);
    expect(place.reading((database) => database.all("SELECT * FROM calls"))).toEqual([]);
    await indexer.rebuild();
    expect(sessions(place.search("walrus"))).toEqual(["b"]);
    // What it says from now on is another matter.
    const later = new Date(Date.now() + 60_000).toISOString();
    appendFileSync(file, asked("walrus again", { timestamp: later }));
    await indexer.pass();
    expect(place.search("again").hits[0]).toMatchObject({ session: "a", hits: 1 });
  });
});

describe("a session that is forgotten during a pass", () => {
  /** A place with a long transcript, and what is called when the first piece of that was read. */
  async function longPlace(atFirstPiece: () => void) {
    const place = searchPlace();
    const { openReadable } = await import("../../agents/transcripts/readable-file.ts");
    const long = place.write(`${CLAUDE}/long.jsonl`, asked("narwhal ".repeat(10_000)).repeat(200));
    const state = { isReading: false, reads: 0 };
    const open = (path: string) => {
      const opened = openReadable(path);
      if (path !== long) return opened;
      state.isReading = true;
      return {
        ...opened,
        read: (into: Buffer, length: number, position: number) => {
          if (++state.reads === 2) atFirstPiece();
          return opened.read(into, length, position);
        },
        close: () => {
          state.isReading = false;
          opened.close();
        },
      };
    };
    return { ...place, state, longIndexer: place.indexer({ open }) };
  }

  it.each(["pass", "rebuild"] as const)(
    "is gone before a long transcript was read (%s)",
    async (kind) => {
      let forgotten: Promise<boolean> | undefined;
      const place = await longPlace(() => {
        forgotten = place.longIndexer.forget("a").then(() => place.state.isReading);
      });
      place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
      await place.longIndexer[kind]();
      expect(await forgotten).toBe(true);
      expect(place.search("walrus").hits).toEqual([]);
      expect(place.search("narwhal").hits[0]?.hits).toBe(200);
      expect(await place.indexer().pass()).toMatchObject({ bytesRead: 0 });
    },
  );

  it("is gone with what was read of it so far, and nothing more of it is read", async () => {
    let forgotten: Promise<void> | undefined;
    const place = await longPlace(() => {
      forgotten = place.longIndexer.forget("long");
    });
    await place.longIndexer.pass();
    await forgotten;
    expect(place.search("narwhal").hits).toEqual([]);
    expect(place.reading((database) => database.all("SELECT id FROM entries"))).toEqual([]);
  });

  it("is gone when the pass has ended, if it came at the very last", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    let forgotten: Promise<void> | undefined;
    const indexer = place.indexer({
      onProgress: ({ sources, sourcesDone }) => {
        if (sources === sourcesDone) forgotten = indexer.forget("a");
      },
    });
    await indexer.pass();
    await forgotten;
    expect(place.search("walrus").hits).toEqual([]);
  });
});

describe("an index that is not as it should be", () => {
  const file = (seam: string) => join(seam, "search/index.db");

  it("is made anew if it is damaged", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    const first = place.indexer();
    await first.pass();
    await first.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(file(place.seam) + suffix, { force: true });
    writeFileSync(file(place.seam), Buffer.alloc(8192, "no database"));
    expect(await place.indexer().pass()).toMatchObject({ entries: 1 });
    expect(place.logged.join()).toContain("made anew");
    expect(place.search("walrus").hits).toHaveLength(1);
  });

  it("is made anew if that is found out in the middle of it", async () => {
    const place = searchPlace();
    for (let n = 0; n < 50; n++)
      place.write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${"word ".repeat(500)} ${n}`));
    const first = place.indexer();
    await first.pass();
    await first.close();
    const content = readFileSync(file(place.seam));
    content.fill(0x5a, 8192, content.length - 4096);
    writeFileSync(file(place.seam), content);
    place.write(`${CLAUDE}/new.jsonl`, asked("narwhal"));
    await place.indexer().pass();
    expect(place.search("narwhal").hits).toHaveLength(1);
    expect(place.search("walrus", { limit: 100 }).hits).toHaveLength(50);
  });

  it("is left alone if a newer Seam made it", async () => {
    const place = searchPlace();
    const first = place.indexer();
    await first.pass();
    await first.close();
    writeFileSync(join(place.seam, "search/version"), "99\n");
    const before = readFileSync(file(place.seam));
    await expect(place.indexer().pass()).rejects.toMatchObject({ code: "SEAM_STORE_NEWER" });
    await expect(place.indexer().rebuild()).rejects.toMatchObject({ code: "SEAM_STORE_NEWER" });
    expect(() => place.search("x")).toThrow("newer Seam");
    expect(readFileSync(file(place.seam)).equals(before)).toBe(true);
  });

  const FAULTS: Readonly<Record<string, (path: string) => void>> = {
    removed: (path) => rmSync(path),
    "removed with all beside it": (path) => rmSync(dirname(path), { recursive: true }),
    "robbed of what was written last": (path) => rmSync(`${path}-wal`),
    "cut off": (path) => truncateSync(`${path}-wal`, 4096),
    "replaced by something else": (path) => {
      writeFileSync(`${path}.new`, "no database");
      renameSync(`${path}.new`, path);
    },
    moved: (path) => renameSync(dirname(path), `${dirname(path)}-moved`),
  };

  it.each(Object.entries(FAULTS))("is made anew if it is %s while it is open", async (_, fault) => {
    const place = searchPlace();
    for (let n = 0; n < 30; n++)
      place.write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${"word ".repeat(500)} ${n}`));
    const indexer = place.indexer();
    await indexer.pass();
    fault(file(place.seam));
    place.write(`${CLAUDE}/new.jsonl`, asked("narwhal"));
    expect(await indexer.pass()).toMatchObject({ entries: 31 });
    expect(place.logged.join()).toContain("made anew");
    expect(place.search("walrus", { limit: 100 }).hits).toHaveLength(30);
    expect(place.search("narwhal").hits).toHaveLength(1);
    expect(await indexer.pass()).toMatchObject({ bytesRead: 0 });
  });

  /** Another process that does something with it; what it says when it did. */
  async function elsewhere(seam: string, work: string) {
    const child = spawn(process.execPath, [
      "-e",
      `const D=require(${JSON.stringify(require.resolve("libsql"))});const d=new D(${JSON.stringify(file(seam))});try{${work};console.log("done")}catch(e){console.log(e.message)}setInterval(()=>{},1000)`,
    ]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const said = await new Promise((resolve) => child.stdout.once("data", resolve));
    const end = async () => {
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("exit", resolve));
    };
    return { said: String(said).trim(), end };
  }

  it("says so if another process holds it", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    mkdirSync(dirname(file(place.seam)), { recursive: true });
    const holder = await elsewhere(
      place.seam,
      "d.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')",
    );
    expect(holder.said).toBe("done");
    const indexer = place.indexer({ busyMs: 50 });
    await expect(indexer.pass()).rejects.toMatchObject({ code: "SEAM_INDEX_BUSY" });
    await holder.end();
    expect(await indexer.pass()).toMatchObject({ entries: 1 });
  });

  it("is for the daemon alone as long as it is open", async () => {
    const place = searchPlace();
    const indexer = place.indexer({ busyMs: 50 });
    await indexer.pass();
    const other = await elsewhere(place.seam, "d.exec('BEGIN IMMEDIATE')");
    expect(other.said).toContain("locked");
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    expect(await indexer.pass()).toMatchObject({ entries: 1 });
    await other.end();
  });

  it("has no file beside it that ends the process when somebody cuts it", async () => {
    const place = searchPlace();
    place.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
    const indexer = place.indexer();
    await indexer.pass();
    expect(place.search("walrus").hits).toHaveLength(1);
    expect(readdirSync(dirname(file(place.seam))).sort()).toEqual([
      "index.db",
      "index.db-wal",
      "version",
    ]);
  });
});
