import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findToolResultEntry, lastAnswer, lastPrompt } from "../sessions/session-text.ts";
import { allModifiedFiles, scanFamily, totalTokens } from "../transcripts/scan-with-subagents.ts";
import { copyFixture, fixture, fixtureContent, tempPlace } from "../transcripts/test-kit.ts";
import { sessions } from "./sessions.ts";
import { transcript } from "./transcript.ts";

const ID = "80c20021-4924-4bae-af22-1df766918649";
const teller = { transcript, sessions };

function session(content = fixtureContent("claude-code", "compacted.jsonl")) {
  return { sessionId: ID, agent: "claude-code", project: "/home/dev/app", ref: "", content };
}

describe("where Claude Code keeps sessions", () => {
  const at = (project: string, env = {}) => sessions.dir({ project, home: "/home/dev", env });

  it("is a folder named after the project", () => {
    expect(at("/home/dev/app")).toBe("/home/dev/.claude/projects/-home-dev-app");
    expect(at("/tmp/we ird_dir.v1")).toBe("/home/dev/.claude/projects/-tmp-we-ird-dir-v1");
    expect(at("/p", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/projects/-p");
  });

  it("has a short name for a long path, not the same for two", () => {
    const [a, b] = ["a", "b"].map((end) => at(`/${"long/".repeat(60)}${end}`));
    expect(a).not.toBe(b);
    expect(a?.length).toBeLessThan(240);
  });

  it("is never left by an id", () => {
    const place = { project: "/p", home: "/h", env: {} };
    for (const id of ["../../x", "a/b", "", ".", "..", "a\0b"]) {
      expect(sessions.file(place, id)).toBeUndefined();
    }
  });
});

describe("giving a session back", () => {
  it("writes what was read, for this user alone", async () => {
    const place = tempPlace();
    const { ref, written } = await sessions.write(place, session());
    expect(written).toBe(true);
    const back = await sessions.read(place, ID);
    expect(back).toMatchObject({ sessionId: ID, ref, project: place.project });
    expect(back?.content.equals(session().content)).toBe(true);
    expect(readdirSync(dirname(ref))).toEqual([`${ID}.jsonl`]);
  });

  it("leaves a session alone that went on meanwhile", async () => {
    const place = tempPlace();
    await sessions.write(place, session());
    const cut = sessions.truncate(session(), "3e001b96-9c29-48d6-a25b-57bcead55cd3");
    expect(cut).toBeDefined();
    if (!cut) return;
    expect(await sessions.write(place, cut)).toMatchObject({ written: false });
    expect((await sessions.read(place, ID))?.content.equals(session().content)).toBe(true);
  });

  it("completes one that is shorter, also behind a link", async () => {
    const place = tempPlace();
    const path = sessions.file(place, ID) ?? "";
    mkdirSync(dirname(path), { recursive: true });
    const target = join(place.home, "elsewhere.jsonl");
    writeFileSync(target, session().content.subarray(0, 100));
    symlinkSync(target, path);
    expect(await sessions.write(place, session())).toMatchObject({ written: true });
    expect(readFileSync(target).equals(session().content)).toBe(true);
  });

  it("says so if it cannot, and leaves nothing behind", async () => {
    const place = tempPlace();
    const path = sessions.file(place, ID) ?? "";
    mkdirSync(path, { recursive: true });
    await expect(sessions.write(place, session())).rejects.toMatchObject({
      code: "SEAM_SESSION_WRITE",
    });
    expect(readdirSync(dirname(path))).toEqual([`${ID}.jsonl`]);
    const astray = { ...session(), sessionId: "../../../etc/x", ref: join(place.home, "x") };
    await expect(sessions.write(place, astray)).rejects.toThrow(/place/);
    expect(readdirSync(place.home)).toEqual([".claude"]);
  });

  it("has a command to go on with it", () => {
    expect(sessions.resumeCommand(ID)).toEqual(["claude", "--resume", ID]);
  });
});

describe("inside a session", () => {
  it("the last prompt, the last answer and the entry of a result are found", () => {
    expect(lastPrompt(transcript, session())).toBe("go SCRIPT:big");
    expect(lastAnswer(transcript, session())).toBe("Mock reply (no script).");
    const found = findToolResultEntry(transcript, session(), "toolu_mock_2_0");
    expect(found).toBe("3e001b96-9c29-48d6-a25b-57bcead55cd3");
    expect(findToolResultEntry(transcript, session(), "toolu_none")).toBeUndefined();
  });

  it("it can be cut after any entry that has an id, and that one is kept", () => {
    const lines = session().content.toString().split("\n");
    const index = 9;
    const { uuid } = JSON.parse(lines[index] ?? "");
    const cut = sessions.truncate(session(), uuid);
    expect(cut?.content.toString()).toBe(`${lines.slice(0, index + 1).join("\n")}\n`);
    expect(sessions.truncate(session(), "nobody")).toBeUndefined();
  });
});

describe("with its subagents", () => {
  it("tokens of a child count as its parent's subagents'", async () => {
    const ref = fixture("claude-code", "main.jsonl");
    expect(await totalTokens(teller, ref)).toEqual({
      input_tokens: 700,
      cache_creation_tokens: 140,
      cache_read_tokens: 210,
      output_tokens: 294,
      api_call_count: 7,
      subagent_tokens: {
        input_tokens: 200,
        cache_creation_tokens: 40,
        cache_read_tokens: 60,
        output_tokens: 84,
        api_call_count: 2,
      },
    });
  });

  it("files a child wrote are among all files, and a second scan reads only what is new", async () => {
    const place = tempPlace();
    const ref = sessions.file(place, ID) ?? "";
    copyFixture("claude-code", "main.jsonl", ref);
    const child = join(dirname(ref), ID, "subagents", "agent-x.jsonl");
    const write = { type: "tool_use", id: "t", name: "Write", input: { file_path: "/child.txt" } };
    const line = {
      type: "assistant",
      isSidechain: true,
      agentId: "x",
      message: { content: [write] },
    };
    mkdirSync(dirname(child), { recursive: true });
    writeFileSync(child, `${JSON.stringify(line)}\n`);
    const files = ["/home/dev/app/out.txt", "/child.txt"];
    expect(await allModifiedFiles(teller, ref)).toEqual(files);
    expect(await allModifiedFiles(teller, ref, 40)).toEqual(["/child.txt"]);
    const first = await scanFamily(teller, ref);
    expect(first.children).toMatchObject([{ id: "x", ref: child }]);
    const again = await scanFamily(teller, ref, { from: first.state });
    expect(again.files).toEqual([]);
    expect(again.total).toEqual(first.total);
    expect(again.main.linesParsed + (again.children[0]?.scan.linesParsed ?? 0)).toBe(0);
  });
});
