import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findSession } from "./find-session.ts";

it("does not follow a transcript that is a link to another file, whoever names it", async () => {
  const base = mkdtempSync(join(tmpdir(), "links-"));
  const own = join(base, "own");
  mkdirSync(own);
  writeFileSync(join(base, "secret"), "secret\n");
  writeFileSync(join(own, "s1.jsonl"), "{}\n");
  symlinkSync(join(base, "secret"), join(own, "s2.jsonl"));
  const find = (session: string) =>
    findSession({ agent: "claude-code", session, transcript: join(own, `${session}.jsonl`) });
  expect((await find("s1")).ref).toBe(join(own, "s1.jsonl"));
  await expect(find("s2")).rejects.toMatchObject({ code: "SEAM_VIEW_SESSION" });
});
