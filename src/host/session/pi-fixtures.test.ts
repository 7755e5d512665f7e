import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSession, SessionFile } from "./session-file.ts";
import { readLinesOf, tempFolder } from "./test-kit/files.ts";

/** Written by Pi 0.74.2. */
const PI = join(import.meta.dirname, "test-kit/pi");
const folder = tempFolder();
const open = (name: string) => readSession(join(PI, name)).session;

describe("a session written by Pi", () => {
  it.each(readdirSync(PI))("%s opens without a problem, with every entry as it is", (name) => {
    const { session, problems } = readSession(join(PI, name));
    expect(problems).toEqual([]);
    expect([session.getHeader(), ...session.getEntries()]).toEqual(readLinesOf(join(PI, name)));
    expect(session.getBranch()).toEqual(session.getEntries());
    expect(session.buildContext()).toMatchObject({
      thinkingLevel: "off",
      model: { provider: "mock", modelId: "mock-model" },
    });
  });

  it("shows its name, its parent and what is left after a compaction", () => {
    expect(open("tui-blocked-userbash-named.jsonl").getSessionName()).toBe("mysess");
    const forked = open("forked.jsonl");
    expect(forked.getHeader().parentSession).toContain("--home-dev-app--");
    const roles = forked.buildContext().messages.map(({ role }) => role);
    // It kept everything from its first entry on.
    expect(roles.slice(0, 3)).toEqual(["compactionSummary", "user", "assistant"]);
    expect(roles.slice(-2)).toEqual(["user", "assistant"]);
    expect(roles).toHaveLength(16);
  });

  it("can be gone on with: what Pi wrote stays as it is, to the byte", () => {
    const path = join(folder.path, "s.jsonl");
    copyFileSync(join(PI, "main.jsonl"), path);
    const before = readFileSync(path, "utf8");
    const { session } = SessionFile.open(path);
    const id = session.appendMessage({ role: "user", content: "go on", timestamp: 1 });
    session.close();
    const after = readFileSync(path, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(JSON.parse(after.slice(before.length))).toMatchObject({ type: "message", id });
  });
});
