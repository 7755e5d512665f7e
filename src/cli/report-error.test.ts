import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { reportError } from "./report-error.ts";

function told(thrown: unknown): string {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  expect(reportError(thrown, [])).toBe(1);
  spy.mockRestore();
  return lines.join("");
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

it("what the system refuses is told in words, with the path and what to do", () => {
  const text = told(thrownBy(() => readFileSync("/proc/self/mem/x")));
  expect(text).toBe(
    "error /proc/self/mem/x cannot be used: a part of the path is a file, not a folder.\n" +
      "      Move that file away.\n",
  );
});

it.each([
  ["EACCES", "no right to read or write it", "ls -ld"],
  ["EROFS", "read-only", "another folder"],
  ["ENOSPC", "disk is full", "Make space"],
])("%s never reaches a person as it is", (code, what, next) => {
  const raw = Object.assign(new Error(`${code}: open '/x'`), { code, path: "/x", syscall: "open" });
  const text = told(raw);
  expect(text).toContain(`error /x cannot be used: `);
  for (const words of [what, next]) expect(text).toContain(words);
  expect(text).not.toContain(code);
});

it("a folder that was deleted under the command is told as such", () => {
  const raw = Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), {
    code: "ENOENT",
    syscall: "uv_cwd",
  });
  expect(told(raw)).toBe(
    "error The folder you are in cannot be used: it was deleted or moved.\n" +
      "      Go to one that is there, then run the same again: cd\n",
  );
});

it("other errors stay as they are", () => {
  expect(told(new Error("something else"))).toBe("error something else\n");
});
