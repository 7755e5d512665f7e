import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixtureContent, tempFile, tempPlace } from "../transcripts/test-kit.ts";
import type { SessionChange } from "../watcher.ts";
import { watcher } from "./watcher.ts";

const HEADER = "\n# aider chat started at 2026-11-15 10:30:00\n\n> Aider v0.86.2  \n";
const ID = "aider-20261115103000";

/** Follows a file, step by step. */
function follow(path: string) {
  let state: unknown;
  return async (): Promise<SessionChange[]> => {
    const { changes, state: next } = await watcher.changed(path, state);
    state = JSON.parse(JSON.stringify(next ?? null));
    return changes;
  };
}
const shown = (changes: readonly SessionChange[]) =>
  changes.map(({ event, prompt }) => (prompt === undefined ? event : `${event}: ${prompt}`));

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
    expect(start).toMatchObject({ event: "session_start", sessionId: ID, ref: path });
    expect(start?.at).toBe(new Date("2026-11-15T10:30:00").toISOString());
    appendFileSync(path, "\n#### add a greeting  \n#### that is polite  \n");
    expect(shown(await next())).toEqual(["agent_start: add a greeting\nthat is polite"]);
    appendFileSync(path, "\nI will.\n");
    expect(await next()).toEqual([]);
    appendFileSync(path, "\n> Tokens: 2.1k sent, 12 received.  \n> Applied edit to a.py  \n");
    expect(await next()).toMatchObject([{ event: "agent_end", sessionId: ID }]);
    appendFileSync(path, "\n#### /add b.py  \n> Added  \n");
    expect(await next()).toEqual([]);
    appendFileSync(path, "\n#### more  \n\nOk.\n\n> Tokens: 1k sent, 2 received.  \n");
    expect(shown(await next())).toEqual(["agent_start: more", "agent_end"]);
    expect(await next()).toEqual([]);
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

  it("tells of an old history only what goes on now", async () => {
    const path = tempFile(fixtureContent("aider", "history.md"), "history.md");
    const changes = await follow(path)();
    expect(shown(changes)).toEqual([
      "session_start",
      "agent_start: /ask what does it do",
      "agent_end",
    ]);
    expect(new Set(changes.map(({ sessionId }) => sessionId))).toEqual(new Set([ID]));
  });

  it("a chat that begins while another is open is a new one", async () => {
    const path = tempFile(`${HEADER}\n#### one  \n`, "history.md");
    const next = follow(path);
    await next();
    appendFileSync(path, HEADER.replace("10:30", "11:45"));
    expect(await next()).toMatchObject([
      { event: "session_start", sessionId: "aider-20261115114500" },
    ]);
  });

  it("starts over with a file that was cut, and survives one that is gone", async () => {
    const path = tempFile(`${HEADER}\n#### a long prompt of the user  \n`, "history.md");
    const next = follow(path);
    await next();
    writeFileSync(path, HEADER);
    expect(shown(await next())).toEqual(["session_start"]);
    rmSync(path);
    expect(await next()).toEqual([]);
    expect(await watcher.changed(path, "not a state")).toEqual({
      changes: [],
      state: "not a state",
    });
  });
});
