import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixtureContent, tempFile, tempPlace } from "../transcripts/test-kit.ts";
import type { SessionChange, WatchOptions } from "../watcher.ts";
import { sessionIdOf } from "./chat-history.ts";
import { watcher } from "./watcher.ts";

const HEADER = "\n# aider chat started at 2026-11-15 10:30:00\n\n> Aider v0.86.2  \n";
/** The chat of the header in a history, or one that started later that day. */
const idIn = (path: string, time = "103000") => sessionIdOf(path, `aider-20261115${time}`);
const TOKENS = "\n> Tokens: 2.1k sent, 12 received.  \n";

/** Follows a file, step by step, as a daemon does that is started anew for every step. */
function follow(path: string, since = 0) {
  let state: unknown;
  return async (options: WatchOptions = {}): Promise<readonly SessionChange[]> => {
    const { changes, state: next } = await watcher.changed(path, state, { since, ...options });
    state = JSON.parse(JSON.stringify(next ?? null));
    return changes;
  };
}
const shown = (changes: readonly SessionChange[]) =>
  changes.map(({ event, prompt, file, command }) =>
    [event, prompt ?? file ?? command ?? []].flat().join(": "),
  );
const quiet = { isQuiet: true };

describe("watching aider", () => {
  it("looks at the history of the project", () => {
    const place = tempPlace();
    expect(watcher.watchPaths(place)).toEqual([join(place.project, ".aider.chat.history.md")]);
    const env = { AIDER_CHAT_HISTORY_FILE: "/else/where.md" };
    expect(watcher.watchPaths({ ...place, env })).toEqual(["/else/where.md"]);
  });

  it("tells a chat as it goes, each step once", async () => {
    const path = tempFile(HEADER, "history.md");
    const next = follow(path);
    const [start] = await next();
    expect(start).toMatchObject({
      event: "session_start",
      sessionId: idIn(path),
      ref: `${path}#${idIn(path)}`,
    });
    expect(start?.at).toBe(new Date("2026-11-15T10:30:00").toISOString());
    appendFileSync(path, "\n#### add a greeting  \n#### that is polite  \n");
    expect(shown(await next())).toEqual(["agent_start: add a greeting\nthat is polite"]);
    appendFileSync(path, "\nI will.\n");
    expect(await next()).toEqual([]);
    appendFileSync(path, `${TOKENS}> Applied edit to a.py  \n> Commit 1a2b3c4 feat: hi  \n`);
    expect(shown(await next())).toEqual([
      "tool_execution_end: a.py",
      'tool_execution_end: git commit -m "feat: hi"',
    ]);
    expect(shown(await next(quiet))).toEqual(["agent_end"]);
    expect(await next(quiet)).toEqual([]);
    appendFileSync(path, "\n#### /add b.py  \n> Added  \n");
    expect(await next(quiet)).toEqual([]);
    appendFileSync(path, `\n#### more  \n\nOk.\n${TOKENS}`);
    expect(shown(await next())).toEqual(["agent_start: more"]);
    appendFileSync(path, "\n#### and more  \n");
    expect(shown(await next())).toEqual(["agent_end", "agent_start: and more"]);
    expect(await next(quiet)).toEqual([]);
  });

  it("each step tells how much of the chat was there, and a commit which one it is", async () => {
    const turn = `\n#### one  \n\nOk.\n${TOKENS}> Applied edit to a.py  \n> Commit 1a2b3c4 hi  \n`;
    const path = tempFile(`${HEADER}${turn}\n#### two  \n`, "history.md");
    const chat = (await readFile(path, "utf8")).split("\n").slice(1);
    const changes = (await watcher.changed(path, undefined)).changes;
    const ends = changes.map(({ event, end }) => [event, chat[end - 1]]);
    // The end of the first turn is before the prompt of the second, though both are read at once.
    expect(ends.slice(2)).toEqual([
      ["tool_execution_end", "> Applied edit to a.py  "],
      ["tool_execution_end", "> Commit 1a2b3c4 hi  "],
      ["agent_end", ""],
      ["agent_start", ""],
    ]);
    expect(chat[changes[4]?.end ?? 0]).toBe("#### two  ");
    expect(changes[3]).toMatchObject({ commit: "1a2b3c4" });
  });

  it("chats that start in the same second in two folders are two sessions", async () => {
    const [one, other] = [tempFile(HEADER, "history.md"), tempFile(HEADER, "history.md")];
    const idOf = async (path: string) => (await follow(path)())[0]?.sessionId;
    expect(await idOf(one)).toBe(idIn(one));
    expect(await idOf(other)).not.toBe(await idOf(one));
  });

  it("a turn is not over before what comes after its answer: edits, and a commit", async () => {
    const path = tempFile(`${HEADER}\n#### one  \n\nOk.\n${TOKENS}`, "history.md");
    const { changes, isWaiting, state } = await watcher.changed(path, undefined);
    expect(shown(changes)).toEqual(["session_start", "agent_start: one"]);
    expect(isWaiting).toBe(true);
    expect(shown((await watcher.changed(path, state, quiet)).changes)).toEqual(["agent_end"]);
  });

  it("the same change, read twice, has the same id, and no two have one", async () => {
    const path = tempFile(`${HEADER}\n#### one  \n\nOk.\n${TOKENS}`, "history.md");
    const ids = async () =>
      (await watcher.changed(path, undefined, quiet)).changes.map((c) => c.id);
    const first = await ids();
    expect(await ids()).toEqual(first);
    expect(new Set(first).size).toBe(3);
  });

  it("waits for the end of a line", async () => {
    const path = tempFile(HEADER, "history.md");
    const next = follow(path);
    await next();
    appendFileSync(path, "\n#### add a gree");
    expect(await next()).toEqual([]);
    appendFileSync(path, "ting  \n");
    expect(shown(await next())).toEqual(["agent_start: add a greeting"]);
  });

  it("tells nothing of what was there before anybody asked, and then what comes", async () => {
    const old = fixtureContent("aider", "history.md");
    const path = tempFile(old, "history.md");
    const next = follow(path, old.length);
    expect(await next(quiet)).toEqual([]);
    appendFileSync(path, `\n#### go on  \n\nOk.\n${TOKENS}`);
    const changes = await next(quiet);
    expect(shown(changes)).toEqual(["session_start", "agent_start: go on", "agent_end"]);
    expect(new Set(changes.map(({ sessionId }) => sessionId))).toEqual(new Set([idIn(path)]));
  });

  it("the answer to a prompt of before is nobody's turn", async () => {
    const old = `${HEADER}\n#### asked before  \n`;
    const path = tempFile(old, "history.md");
    const next = follow(path, old.length);
    expect(await next(quiet)).toEqual([]);
    appendFileSync(path, `\nOk.\n${TOKENS}> Applied edit to a.py  \n`);
    expect(await next(quiet)).toEqual([]);
  });

  it("a chat that begins while another is open is a new one, and ends its turn", async () => {
    const path = tempFile(`${HEADER}\n#### one  \n`, "history.md");
    const next = follow(path);
    await next();
    appendFileSync(path, HEADER.replace("10:30", "11:45"));
    expect(await next()).toMatchObject([
      { event: "agent_end", sessionId: idIn(path) },
      { event: "session_start", sessionId: idIn(path, "114500") },
    ]);
  });

  it("a history that was cut ends the turn and is news only from a later chat on", async () => {
    const path = tempFile(`${HEADER}\n#### a long prompt of the user  \n`, "history.md");
    const next = follow(path);
    await next();
    writeFileSync(path, HEADER);
    expect(shown(await next())).toEqual(["agent_end"]);
    appendFileSync(path, "\n#### another one  \n");
    expect(shown(await next())).toEqual(["session_start", "agent_start: another one"]);
    truncateSync(path, 0);
    expect(shown(await next())).toEqual(["agent_end"]);
    writeFileSync(path, `${HEADER.replace("10:30", "12:00")}\n#### anew  \n`);
    expect(shown(await next())).toEqual(["session_start", "agent_start: anew"]);
  });

  it("a history that was written anew at the same length is not taken for the old one", async () => {
    const path = tempFile(`${HEADER}\n#### one  \n`, "history.md");
    const next = follow(path);
    const [, first] = await next();
    writeFileSync(path, `${HEADER.replace("10:30", "12:00")}\n#### two  \n`);
    const changes = await next();
    expect(shown(changes)).toEqual(["agent_end", "session_start", "agent_start: two"]);
    expect(changes.map(({ id }) => id)).not.toContain(first?.id);
  });

  it("survives a file that is gone, a folder, a pipe, and a state that makes no sense", async () => {
    const path = tempFile(HEADER, "history.md");
    const next = follow(path);
    await next();
    rmSync(path);
    expect(await next()).toEqual([]);
    execFileSync("mkfifo", [path]);
    expect(await next()).toEqual([]);
    expect(await watcher.changed(path, "not a state")).toEqual({
      changes: [],
      state: "not a state",
    });
  });

  it("more at once than a chat can have is passed over, without its bytes in memory", async () => {
    const path = tempFile(`${HEADER}\n#### one  \n`, "history.md");
    const next = follow(path);
    await next();
    // A hole in the file: it is long and takes no room.
    truncateSync(path, 300 * 1024 * 1024);
    appendFileSync(path, `\n${HEADER.replace("10:30", "13:00")}`);
    const changes = await next();
    expect(changes[0]).toMatchObject({ event: "agent_end", sessionId: idIn(path) });
    appendFileSync(path, "\n#### later  \n");
    expect((await next()).map(({ sessionId }) => sessionId).at(-1)).toBe(idIn(path, "130000"));
  });
});
