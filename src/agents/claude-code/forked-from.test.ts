import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { forkedFrom } from "./forked-from.ts";

let minute = 0;
const now = () => new Date(Date.UTC(2026, 4, 25, 12, ++minute)).toISOString();

/** Transcripts as Claude Code 2.1.197 and 2.1.325 write them with -p. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), "forks-"));
  const ref = (id: string) => join(folder, `${id}.jsonl`);
  const add = (id: string, line: object) =>
    appendFileSync(ref(id), `${JSON.stringify({ ...line, sessionId: id })}\n`);
  const begins = (id: string) => {
    add(id, { type: "mode", mode: "normal" });
    add(id, { type: "queue-operation", operation: "enqueue", timestamp: now() });
  };
  const says = (id: string, text: string) => {
    add(id, { type: "user", uuid: `${id}-${text}`, timestamp: now(), message: { content: text } });
    add(id, { type: "assistant", uuid: `${id}-${text}-answer`, timestamp: now() });
    add(id, { type: "last-prompt", lastPrompt: text });
  };
  return {
    folder,
    ref,
    says,
    session(id: string) {
      begins(id);
      says(id, "first");
    },
    /** `mends`: what it says itself to end the last turn, while it reads the origin. */
    fork(origin: string, id: string, mends = false) {
      const loaded = now();
      begins(id);
      for (const line of readFileSync(ref(origin), "utf8").trimEnd().split("\n")) {
        const { uuid, ...rest } = JSON.parse(line) as { uuid?: string };
        if (uuid !== undefined) add(id, { uuid, ...rest });
      }
      if (mends) add(id, { type: "assistant", uuid: `${id}-mended`, timestamp: loaded });
      says(id, "forked");
    },
  };
}

it("a fork is of the session in which its last carried line was written first", async () => {
  const { session, says, fork, ref } = project();
  session("a");
  fork("a", "b");
  fork("b", "c");
  fork("a", "d");
  says("a", "more");
  fork("a", "e");
  session("another");
  const forks = ["a", "b", "c", "d", "e", "another"];
  const origins = await Promise.all(forks.map((id) => forkedFrom(ref(id))));
  expect(origins).toEqual([undefined, "a", "b", "a", "a", undefined]);
});

it("a fork of a turn that has no end is of the session that had this turn", async () => {
  const { session, says, fork, ref } = project();
  session("a");
  fork("a", "b", true);
  fork("b", "c", true);
  says("a", "more");
  fork("a", "d", true);
  const origins = await Promise.all(["b", "c", "d"].map((id) => forkedFrom(ref(id))));
  expect(origins).toEqual(["a", "b", "a"]);
});

it("a fork whose origin is gone, or beside files that are no sessions, is of nobody", async () => {
  const { session, fork, ref, folder } = project();
  session("a");
  fork("a", "b");
  writeFileSync(ref("a"), "no session\n");
  mkdirSync(join(folder, "folder.jsonl"));
  expect(await forkedFrom(ref("b"))).toBeUndefined();
});
