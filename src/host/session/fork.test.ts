import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyBranch } from "./copy-branch.ts";
import { fork } from "./fork.ts";
import { readSession, SessionFile } from "./session-file.ts";
import { SessionTree } from "./session-tree.ts";
import { filesIn, readLinesOf, tempFolder, user } from "./test-kit/files.ts";
import { commonAncestor, entriesBetween } from "./tree-walk.ts";

const folder = tempFolder();
const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);
const noEntry = expect.objectContaining({ code: "SEAM_SESSION_ENTRY" });

/** root ─ a ─ (label on root) ─ b ─ c, and d below a. */
function grown() {
  const session = SessionFile.create({ cwd: "/project", dir: folder.path });
  const root = session.appendMessage(user("root"));
  const a = session.appendMessage({ role: "assistant", content: [] });
  session.appendLabel(root, "start");
  const b = session.appendMessage(user("b"));
  const c = session.appendMessage({ role: "assistant", content: [] });
  session.moveTo(a);
  const d = session.appendMessage({
    role: "user",
    content: [
      { type: "text", text: "d, " },
      { type: "image", data: "", mimeType: "image/png" },
      { type: "text", text: "again" },
    ],
  });
  session.appendLabel(d, "second");
  return { session, root, a, b, c, d };
}

describe("a fork", () => {
  it("at an entry has the way to it, its labels, and the session it came from", () => {
    const { session, root, a, b } = grown();
    const before = readLinesOf(session.getSessionFile() ?? "");
    const { session: forked, editorText } = fork(session, b, { position: "at" });
    expect(editorText).toBeUndefined();
    expect(forked.getHeader().parentSession).toBe(session.getSessionFile());
    expect(forked.getSessionId()).not.toBe(session.getSessionId());
    expect(idsOf(forked.getBranch()).slice(0, 3)).toEqual([root, a, b]);
    expect(forked.buildContext().messages).toHaveLength(3);
    expect(forked.getLabel(root)).toBe("start");
    expect([...forked.getLabels()]).toHaveLength(1);
    const { session: read, problems } = readSession(forked.getSessionFile() ?? "");
    expect(problems).toEqual([]);
    expect(read.getEntries()).toEqual(forked.getEntries());
    expect(readLinesOf(session.getSessionFile() ?? "")).toEqual(before);
  });

  it("before a message of the user gives its text back, to be asked differently", () => {
    const { session, root, a, d } = grown();
    const { session: forked, editorText } = fork(session, d, { position: "before" });
    expect(editorText).toBe("d, again");
    expect(idsOf(forked.getBranch()).slice(0, 2)).toEqual([root, a]);
    expect(forked.getEntry(d)).toBeUndefined();
  });

  it("before the first message is an empty session without a file yet", () => {
    const { session, root } = grown();
    const { session: forked, editorText } = fork(session, root, { position: "before" });
    expect(editorText).toBe("root");
    expect(forked.getEntries()).toEqual([]);
    expect(filesIn(folder.path)).toHaveLength(1);
    forked.appendMessage(user("other"));
    expect(filesIn(folder.path)).toHaveLength(2);
    expect(forked.getHeader().parentSession).toBe(session.getSessionFile());
  });

  it("can go to another project", () => {
    const { session, b } = grown();
    const dir = join(folder.path, "other");
    const { session: forked } = fork(session, b, { position: "at", cwd: "/other", dir });
    expect(forked.getCwd()).toBe("/other");
    expect(filesIn(dir)).toHaveLength(1);
  });

  it("is refused at an entry that is not there, and before anything the user did not say", () => {
    const { session, a } = grown();
    expect(() => fork(session, "nowhere", { position: "at" })).toThrow(noEntry);
    expect(() => fork(session, a, { position: "before" })).toThrow(noEntry);
    expect(filesIn(folder.path)).toHaveLength(1);
  });
});

it("a branch can be copied into a session in memory", () => {
  const { session, d } = grown();
  const entries = copyBranch(session, d);
  const { session: copy, problems } = SessionTree.fromEntries(session.getHeader(), entries);
  expect(problems).toEqual([]);
  expect(copy.getLabel(d)).toBe("second");
  expect(copy.buildContext().messages).toHaveLength(3);
  expect(copyBranch(session, null)).toEqual([]);
});

describe("going to another place in the tree", () => {
  it("leaves what stands below the last shared entry", () => {
    const { session, a, b, c, d } = grown();
    expect(commonAncestor(session, c, d)).toBe(a);
    expect(idsOf(entriesBetween(session, c, d)).slice(-2)).toEqual([b, c]);
    expect(entriesBetween(session, c, d)).toHaveLength(3);
    expect(idsOf(entriesBetween(session, d, c))).toEqual([d]);
  });

  it("leaves nothing on the way down, everything on the way out", () => {
    const { session, a, c, root } = grown();
    expect(entriesBetween(session, a, c)).toEqual([]);
    expect(idsOf(entriesBetween(session, a, root))).toEqual([a]);
    expect(commonAncestor(session, null, c)).toBeNull();
    expect(entriesBetween(session, null, c)).toEqual([]);
    expect(idsOf(entriesBetween(session, a, null))).toEqual([root, a]);
  });
});
