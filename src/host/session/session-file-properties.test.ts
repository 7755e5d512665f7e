import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionEntry } from "../../events/index.ts";
import { readSession, SessionFile } from "./session-file.ts";
import { tree } from "./test-kit/arbitraries.ts";
import { HEADER, tempFolder, user, writeLines } from "./test-kit/files.ts";

const folder = tempFolder();

/** A file in a folder of its own, gone after use. */
function inFolder(use: (dir: string) => void): void {
  const dir = mkdtempSync(join(folder.path, "run-"));
  try {
    use(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const contentOf = (session: { getHeader(): unknown; getEntries(): unknown[] }) => [
  session.getHeader(),
  ...session.getEntries(),
];

test("what is written is what is read, whether entries come one by one or all at once", () => {
  const later = fc.array(fc.tuple(fc.string(), fc.nat()), { maxLength: 10 });
  fc.assert(
    fc.property(tree, later, (entries, added) =>
      inFolder((dir) => {
        const session = SessionFile.create({ cwd: "/a\nb", dir, entries });
        for (const [text, place] of added) {
          session.moveTo(
            session.getEntries()[place % (session.getEntries().length + 1)]?.id ?? null,
          );
          session.appendMessage(user(text));
        }
        session.appendCustomEntry("end");
        const path = session.getSessionFile() ?? "";
        const { session: read, problems } = readSession(path);
        expect(problems).toEqual([]);
        expect(contentOf(read)).toEqual(JSON.parse(JSON.stringify(contentOf(session))));
        expect(read.getLeafId()).toBe(session.getLeafId());
        session.close();
      }),
    ),
  );
});

test("a file cut off anywhere opens, has lost the cut line at most, and can be gone on with", () => {
  fc.assert(
    fc.property(tree, fc.nat(), (entries, number) =>
      inFolder((dir) => {
        const path = writeLines(join(dir, "the-id.jsonl"), [HEADER, ...entries]);
        const bytes = readFileSync(path);
        const length = number % (bytes.length + 1);
        truncateSync(path, length);
        const whole = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
        const { session } = SessionFile.open(path, { cwd: HEADER.cwd });
        const kept = session.getEntries();
        expect(kept).toEqual(entries.slice(0, kept.length));
        expect(kept.length).toBeGreaterThanOrEqual(whole - 1);
        session.appendMessage(user("on"));
        session.appendMessage(user("and on"));
        const expected = [...kept, ...session.getEntries().slice(-2)];
        session.close();
        const again = SessionFile.open(path);
        expect(again.problems).toEqual([]);
        expect(again.session.getEntries()).toEqual(expected);
        expect(again.session.getSessionId()).toBe(HEADER.id);
        again.session.close();
      }),
    ),
  );
});

test("garbage between the lines is skipped, counted and left where it is", () => {
  const garbage = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .map((text) => `x${text.replaceAll("\n", " ")}`);
  const mixed = fc.array(fc.option(garbage), { maxLength: 20 });
  fc.assert(
    fc.property(tree, mixed, (entries, places) =>
      inFolder((dir) => {
        const lines: (SessionEntry | string)[] = entries.flatMap((entry, index) => {
          const text = places[index];
          return text == null ? [entry] : [text, entry];
        });
        const path = writeLines(join(dir, "s.jsonl"), [HEADER, ...lines]);
        const before = readFileSync(path);
        const { session, problems } = SessionFile.open(path);
        expect(session.getEntries()).toEqual(entries);
        const expected = lines.flatMap((one, index) =>
          typeof one === "string" ? [index + 2] : [],
        );
        expect(problems.map(({ line }) => line)).toEqual(expected);
        session.appendMessage(user("on"));
        expect(readFileSync(path).subarray(0, before.length)).toEqual(before);
        session.close();
      }),
    ),
  );
});

test("any bytes whatsoever open as a session or are refused, and never more than that", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, hasHeader) =>
      inFolder((dir) => {
        const path = join(dir, "s.jsonl");
        const start = hasHeader ? `${JSON.stringify(HEADER)}\n` : "";
        writeFileSync(path, Buffer.concat([Buffer.from(start), bytes]));
        if (hasHeader) {
          expect(readSession(path).session.getSessionId()).toBe(HEADER.id);
          return;
        }
        try {
          readSession(path);
        } catch (error) {
          expect(error).toMatchObject({ code: "SEAM_SESSION_READ" });
        }
      }),
    ),
  );
});
