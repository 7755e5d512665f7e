import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentFolders } from "../agent.ts";
import { findToolResultEntry, lastAnswer } from "../sessions/session-text.ts";
import { fixtureContent, tempPlace } from "../transcripts/test-kit.ts";
import { readExport } from "./export.ts";
import { sessions } from "./sessions.ts";
import { exported, openCodeDatabase } from "./test-kit/database.ts";
import { transcript } from "./transcript.ts";

const MAIN = "ses_e1f9f8790ffez2me7y2NrnS5VW";
const content = fixtureContent("opencode", "export-main.json");
const session = { sessionId: MAIN, agent: "opencode", project: "/p", ref: "", content };

/** A place where `opencode` is a script of ours. */
function placeWith(script: string | undefined): AgentFolders & { calls: string } {
  const place = tempPlace();
  const bin = join(place.home, "bin");
  const calls = join(place.home, "calls");
  mkdirSync(bin);
  if (script !== undefined) {
    writeFileSync(join(bin, "opencode"), `#!/bin/sh\necho "$PWD $*" >> "${calls}"\n${script}\n`);
    chmodSync(join(bin, "opencode"), 0o755);
  }
  return { ...place, env: { PATH: `${bin}:/usr/bin:/bin` }, calls };
}

function fill(place: AgentFolders, count: number): void {
  const whole = exported("export-main.json");
  const database = openCodeDatabase(join(sessions.dir(place), "opencode.db"));
  database.session(whole);
  for (const message of whole.messages.slice(0, count)) database.message(message);
  database.close();
}

describe("giving a session back to OpenCode", () => {
  it("goes through its own import, in the project, and is checked", async () => {
    const place = placeWith(
      'cp "$2" "$HOME/taken.json"; cp -r "$HOME/ready/." "$HOME/.local/share/"',
    );
    // What the program would have made of it.
    fill({ ...place, env: { XDG_DATA_HOME: join(place.home, "ready") } }, 9);
    mkdirSync(sessions.dir(place), { recursive: true });
    const { ref, written } = await sessions.write(place, session);
    expect(written).toBe(true);
    expect(ref).toBe(`${join(sessions.dir(place), "opencode.db")}#${MAIN}`);
    expect(readFileSync(join(place.home, "taken.json")).equals(content)).toBe(true);
    const [call = ""] = readFileSync(place.calls, "utf8").split("\n");
    expect(call.startsWith(`${place.project} import /`)).toBe(true);
    const file = call.slice(`${place.project} import `.length);
    expect(existsSync(file)).toBe(false);
    const back = await sessions.read(place, MAIN);
    expect(back && readExport(back.content)?.messages).toHaveLength(9);
  });

  it("does not start anything if as much is there already", async () => {
    const place = placeWith("exit 1");
    fill(place, 9);
    expect(await sessions.write(place, session)).toMatchObject({ written: false });
    expect(existsSync(place.calls)).toBe(false);
  });

  it.each([
    ["is not there", undefined, /cannot be started/],
    ["fails", "echo broken >&2; exit 3", /ended with 3: broken/],
    ["says it did and did not", "echo Imported session", /Imported session/],
  ])("says so if the program %s [opencode-silent-import]", async (_, script, message) => {
    const place = placeWith(script);
    const failing = sessions.write(place, session);
    await expect(failing).rejects.toMatchObject({ code: "SEAM_SESSION_WRITE" });
    await expect(failing).rejects.toThrow(message);
  });

  it.each([
    ["no export", Buffer.from("{}")],
    ["an export of another session", fixtureContent("opencode", "export-subagent.json")],
  ])("refuses %s without starting anything", async (_, other) => {
    const place = placeWith("exit 0");
    await expect(sessions.write(place, { ...session, content: other })).rejects.toMatchObject({
      code: "SEAM_SESSION_WRITE",
    });
    expect(existsSync(place.calls)).toBe(false);
  });
});

describe("inside a session", () => {
  it("it can be cut after a message, and a result is found", () => {
    const cut = sessions.truncate(session, "msg_1e060871900144Q6HCmXpyTyWG");
    expect(cut && readExport(cut.content)?.messages).toHaveLength(2);
    expect(cut && lastAnswer(transcript, cut)).toBe("I will run things.");
    expect(sessions.truncate(session, "msg_none")).toBeUndefined();
    expect(sessions.truncate({ ...session, content: Buffer.from("x") }, "a")).toBeUndefined();
    const entry = findToolResultEntry(transcript, session, "call_mock_149_0");
    expect(entry).toBe("msg_1e0609b23001SA47aFisNL5vuM");
  });

  it("has a command to go on with", () => {
    expect(sessions.resumeCommand(MAIN)).toEqual(["opencode", "--session", MAIN]);
  });
});
