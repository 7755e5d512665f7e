import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scanTranscript } from "../transcripts/scan.ts";
import { scanFamily } from "../transcripts/scan-with-subagents.ts";
import { fixture, tempFolder, tempPlace } from "../transcripts/test-kit.ts";
import { databaseRef, withDatabase } from "./database.ts";
import { readExport } from "./export.ts";
import { sessions } from "./sessions.ts";
import { exported, openCodeDatabase } from "./test-kit/database.ts";
import { transcript } from "./transcript.ts";

const MAIN = "ses_e1f9f8790ffez2me7y2NrnS5VW";
const CHILD = "ses_e1f9f5fadffeJ0Fduct5QiEY8P";

function database(...names: string[]) {
  // Signs that mean something in a URL are part of the name here.
  const path = join(tempFolder(), "da ta#1?%", "opencode.db");
  const opened = openCodeDatabase(path);
  onTestFinished(() => opened.close());
  for (const name of names) {
    const session = exported(name);
    opened.session(session);
    for (const message of session.messages) opened.message(message);
  }
  return { path, ...opened };
}

describe("a session of OpenCode", () => {
  it("that was forked has the one it was made of, found by its title and first message", async () => {
    const { path, session, message } = database("export-main.json");
    const main = exported("export-main.json");
    const time = { created: 9_000_000_000_000, updated: 9_000_000_000_000 };
    const title = (number: number) => `${main.info.title} (fork #${number})`;
    const add = (id: string, about: string) => {
      session({ ...main, info: { ...main.info, id, title: about, time } });
      for (const [at, { info, parts }] of main.messages.entries()) {
        const messageID = `${id}_${at}`;
        const own = parts.map((part, n) => ({ ...part, id: `${messageID}_${n}`, messageID }));
        message({ info: { ...info, id: messageID, sessionID: id }, parts: own });
      }
    };
    add("ses_One", title(1));
    add("ses_Two", title(2));
    const since = "2200-01-01T00:00:00.000Z";
    const originsOf = async (id: string) =>
      (await scanTranscript(transcript, databaseRef(path, id), { since })).facts.origins;
    expect([await originsOf("ses_One"), await originsOf("ses_Two")]).toEqual([[MAIN], ["ses_One"]]);
    expect(await originsOf(MAIN)).toEqual([]);
  });

  it("says the same in the database and exported", async () => {
    const { path } = database("export-main.json");
    const stored = await scanTranscript(transcript, databaseRef(path, MAIN));
    const file = await scanTranscript(transcript, fixture("opencode", "export-main.json"));
    expect(stored.facts).toEqual(file.facts);
    expect(stored.facts).toMatchObject({
      files: ["/home/dev/app/out.txt"],
      lastAnswer: "All done, final answer.",
      model: "mock-model",
      summary: "Mock summary/title text.",
      toolResults: 8,
      subagents: [{ id: CHILD, type: "helper" }],
    });
    expect(stored.facts.tokens).toEqual({
      input_tokens: 960,
      cache_creation_tokens: 0,
      cache_read_tokens: 240,
      output_tokens: 336,
      api_call_count: 8,
    });
  });

  it("tells a skill by its tool, where it stands", async () => {
    const { facts } = await scanTranscript(transcript, fixture("opencode", "export-main.json"));
    expect(facts.skills).toMatchObject([
      {
        id: "opencode-skill-call_mock_149_0",
        event_type: "tool_invocation",
        skill: { name: "greet" },
        source: { agent: "opencode", signal: "skill_tool_use", confidence: "explicit" },
        transcript_anchor: {
          unit: "message",
          start: 2,
          end: 2,
          entry_ids: ["msg_1e0609b23001SA47aFisNL5vuM"],
          tool_use_id: "call_mock_149_0",
        },
        native: { tool_name: "skill", tool_use_id: "call_mock_149_0" },
      },
    ]);
  });

  it("knows compactions and what OpenCode said in the user's name", async () => {
    const ref = fixture("opencode", "export-compacted.json");
    const { facts } = await scanTranscript(transcript, ref);
    expect(facts.compactions).toBe(1);
    expect(facts.prompts).toHaveLength(1);
    expect(facts.lastAnswer).toBe("Mock reply (no script).");
    expect(facts.tokens.api_call_count).toBe(3);
  });

  it("has its children's tokens and files with it", async () => {
    const { path } = database("export-main.json", "export-subagent.json");
    const { total, children } = await scanFamily({ transcript, sessions }, databaseRef(path, MAIN));
    expect(children.map(({ id }) => id)).toEqual([CHILD]);
    expect(total.subagent_tokens).toMatchObject({ input_tokens: 240, api_call_count: 2 });
  });

  it("counts thinking as output", async () => {
    const { path, session, message } = database();
    session(exported("export-main.json"));
    const tokens = { input: 1, output: 2, reasoning: 4, cache: { read: 8, write: 16 } };
    const time = { created: 1, completed: 2 };
    message({
      info: { id: "msg_1", sessionID: MAIN, role: "assistant", time, tokens },
      parts: [],
    });
    const { total } = await scanTranscript(transcript, databaseRef(path, MAIN));
    expect(total).toEqual({
      input_tokens: 1,
      cache_creation_tokens: 16,
      cache_read_tokens: 8,
      output_tokens: 6,
      api_call_count: 1,
    });
  });
});

describe("a message that broke off", () => {
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  const info = { id: "msg_1", sessionID: MAIN, role: "assistant", tokens };

  it("is told when its agent has ended, and is waited for until then", async () => {
    const { path, session, message } = database();
    session(exported("export-main.json"));
    const state = { status: "running", input: { command: "make" } };
    const of = { id: "prt_1", messageID: "msg_1", sessionID: MAIN };
    const part = { ...of, type: "tool", tool: "bash", callID: "call_1", state };
    message({ info: { ...info, time: { created: 1 } }, parts: [part] });
    const ref = databaseRef(path, MAIN);
    const [working, over] = [
      await scanTranscript(transcript, ref),
      await scanTranscript(transcript, ref, { isOver: true }),
    ];
    expect([working.facts.story.entries, working.state.position]).toEqual([[], 0]);
    expect(over.facts.story.entries).toMatchObject([{ kind: "call", text: "make" }]);
    expect([over.total.api_call_count, over.state.position]).toEqual([0, 1]);
  });

  it("counts for no call, as nobody knows what it used", async () => {
    const { path, session, message } = database();
    session(exported("export-main.json"));
    const error = { name: "MessageAbortedError", data: { message: "Aborted" } };
    message({ info: { ...info, time: { created: 1 }, error }, parts: [] });
    const { total } = await scanTranscript(transcript, databaseRef(path, MAIN));
    expect(total.api_call_count).toBe(0);
  });

  it("that is under way tells where its call ends, and is read later", async () => {
    const { path, session, message } = database();
    session(exported("export-main.json"));
    const state = { status: "running", input: { command: "git commit" } };
    const part = { id: "prt_1", messageID: "msg_1", sessionID: MAIN, type: "tool", tool: "bash" };
    const parts = [{ ...part, callID: "call_1", state }];
    message({ info: { ...info, time: { created: 1 } }, parts });
    const scan = await scanTranscript(transcript, databaseRef(path, MAIN), { call: "call_1" });
    expect(scan.facts.afterCall).toBe(1);
    expect(scan.state.position).toBe(0);
    expect(scan.facts.story.entries).toEqual([]);
  });
});

describe("a session that goes on", () => {
  it("is read from the first message that is new or was not finished", async () => {
    const { path, session, message } = database();
    const whole = exported("export-main.json");
    session(whole);
    const [asked, answered, ...rest] = whole.messages;
    if (!asked || !answered) throw new Error("no messages");
    const ref = databaseRef(path, MAIN);
    message(asked);
    message({ ...answered, info: { ...answered.info, time: { created: 1794765784857 } } });
    const first = await scanTranscript(transcript, ref);
    expect(first.facts.prompts).toHaveLength(1);
    expect(first.state.position).toBe(1);
    expect(first.total.api_call_count).toBe(0);
    message(answered);
    const second = await scanTranscript(transcript, ref, { from: first.state });
    expect(second.linesParsed).toBe(1);
    expect(second.facts).toMatchObject({ prompts: [], files: ["/home/dev/app/out.txt"] });
    for (const one of rest) message(one);
    const third = await scanTranscript(transcript, ref, { from: second.state });
    expect(third.linesParsed).toBe(rest.length);
    expect(third.total.api_call_count).toBe(8);
    expect(third.restarted).toBeUndefined();
  });

  it("is read from its start if messages were taken back", async () => {
    const { path, remove } = database("export-main.json");
    const ref = databaseRef(path, MAIN);
    const first = await scanTranscript(transcript, ref);
    for (const { info } of exported("export-main.json").messages.slice(3)) remove(info.id);
    const next = await scanTranscript(transcript, ref, { from: first.state });
    expect(next).toMatchObject({ restarted: true, linesParsed: 3 });
    expect(next.total.api_call_count).toBe(2);
  });
});

describe("the database", () => {
  it("is never written to, nor made if it is not there", async () => {
    const { path } = database("export-main.json");
    const write = withDatabase(path, (query) => query("DELETE FROM session"));
    await expect(write).rejects.toThrow(/readonly/);
    const none = join(tempFolder(), "none.db");
    const scan = await scanTranscript(transcript, databaseRef(none, MAIN));
    expect(scan).toMatchObject({ missing: true, total: { api_call_count: 0 } });
    expect(existsSync(none)).toBe(false);
    expect(await sessions.subagents?.(databaseRef(none, MAIN))).toEqual([]);
  });

  it("that has no such session, or other tables, says nothing", async () => {
    const { path } = database();
    expect(await scanTranscript(transcript, databaseRef(path, "ses_none"))).toMatchObject({
      missing: true,
    });
    const place = tempPlace();
    expect(await sessions.read(place, MAIN)).toBeUndefined();
    expect(await sessions.read(place, "../x")).toBeUndefined();
  });

  it("with damaged rows gives what can be read", async () => {
    const { path, session, message } = database();
    session(exported("export-main.json"));
    message({
      info: { id: "msg_1", sessionID: MAIN, role: 5, time: "x" },
      parts: [{ id: "p", messageID: "msg_1" }],
    });
    const { facts } = await scanTranscript(transcript, databaseRef(path, MAIN));
    expect(facts.prompts).toEqual([]);
  });
});

it("what is read is an export of one message a line", async () => {
  const { path } = database("export-main.json");
  const content = await transcript.read(databaseRef(path, MAIN));
  const { messages } = readExport(content) ?? {};
  expect(messages).toEqual(exported("export-main.json").messages);
  expect(content.toString().trimEnd().split("\n")).toHaveLength(9 + 2);
  expect(transcript.recognise(content)).toBe(true);
  expect(transcript.chunk(content, 3000).length).toBeGreaterThan(1);
});
