import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionFile, type SessionTree } from "../../host/index.ts";
import { openSession, sessionPlace } from "./open-session.ts";

const before = process.env.SEAM_HOME;
let cwd: string;
let file: string;
let said: string[];
const opened: SessionTree[] = [];
const warn = (text: string) => void said.push(text);

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "seam-open-"));
  process.env.SEAM_HOME = join(cwd, "home");
  said = [];
  const session = SessionFile.create({ cwd });
  session.appendMessage({ role: "user", content: "hi", timestamp: 1 });
  session.close();
  file = session.getSessionFile() ?? "";
  appendFileSync(file, 'not json\n{"type":"label","id":"x1","parentId":null}\n{"type":"mess');
});
afterEach(() => {
  for (const session of opened.splice(0)) if (session instanceof SessionFile) session.close();
  if (before === undefined) delete process.env.SEAM_HOME;
  else process.env.SEAM_HOME = before;
  rmSync(cwd, { recursive: true });
});

describe("what is damaged in a session is told with the file and the line", () => {
  it.each([
    ["--resume", () => openSession(cwd, { resume: file }, warn)],
    ["--continue", () => openSession(cwd, { continue: true }, warn)],
    ["--fork", () => openSession(cwd, { fork: file }, warn)],
    ["switching to it", () => sessionPlace(cwd, {}, warn)?.open(file)],
  ])("by %s", (_, open) => {
    const session = open();
    if (session) opened.push(session);
    expect(said).toContainEqual(expect.stringMatching(/\.jsonl, line 3: Not JSON\.$/));
    expect(said).toContainEqual(expect.stringMatching(/\.jsonl, line 5: The end of the file/));
    expect(said.every((text) => text.includes(".jsonl"))).toBe(true);
  });
});

it("a copy repairs nothing", () => {
  opened.push(openSession(cwd, { fork: file }, warn));
  expect(existsSync(`${file}.torn-1`)).toBe(false);
  opened.push(openSession(cwd, { resume: file }, warn));
  expect(existsSync(`${file}.torn-1`)).toBe(true);
});
