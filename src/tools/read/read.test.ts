import { mkdir, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localReadOperations, type ReadOperations } from "./operations.ts";
import { createReadTool, type ReadToolDetails, type ReadToolInput } from "./read.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-read-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(
  input: ReadToolInput,
  operations?: ReadOperations,
): Promise<{ text: string; details?: ReadToolDetails }> {
  const tool = createReadTool(folder, operations ? { operations } : {});
  const { content, details } = await tool.execute("call", input);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return details ? { text, details } : { text };
}

async function fileWith(content: string | Buffer, name = "a.txt"): Promise<string> {
  await writeFile(join(folder, name), content);
  return name;
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

test("a small file comes exactly as it is", async () => {
  for (const content of ["one", "one\n", "one\n\n", "\n", "a\r\nb\r\n", "é€😀\n"]) {
    expect(await read({ path: await fileWith(content) })).toEqual({ text: content });
  }
});

test("an empty file says so", async () => {
  expect((await read({ path: await fileWith("") })).text).toBe("[The file is empty.]");
});

test("offset and limit select lines, and the last line tells how to read on", async () => {
  const path = await fileWith(numbered(10));
  expect((await read({ path, offset: 3, limit: 2 })).text).toBe(
    "line 3\nline 4\n\n[Lines 3 to 4 of 10 lines. Read on with offset=5.]",
  );
  expect((await read({ path, offset: 9 })).text).toBe("line 9\nline 10\n");
  expect((await read({ path, limit: 10 })).text).toBe(numbered(10));
  await expect(read({ path, offset: 11 })).rejects.toThrow("past its end: it has 10 lines");
});

test("2000 lines are shown whole, of 2001 the last is left for the next read", async () => {
  expect((await read({ path: await fileWith(numbered(2000)) })).details).toBeUndefined();
  const path = await fileWith(numbered(2001));
  const { text, details } = await read({ path });
  expect(text).toMatch(
    /line 2000\n\n\[Lines 1 to 2000 of 2001 lines\. Read on with offset=2001\.\]$/,
  );
  expect(details?.truncation).toMatchObject({
    truncatedBy: "lines",
    totalLines: 2001,
    outputLines: 2000,
  });
  expect((await read({ path, offset: 2001 })).text).toBe("line 2001\n");
});

test("long lines are cut at 50 KB, between lines", async () => {
  const { text, details } = await read({
    path: await fileWith(`${"€".repeat(1000)}\n`.repeat(40)),
  });
  expect(details?.truncation).toMatchObject({
    truncatedBy: "bytes",
    outputLines: 17,
    totalLines: 40,
  });
  expect(details?.truncation?.outputBytes).toBeLessThanOrEqual(51200);
  expect(text).toContain("Read on with offset=18.");
});

test("a line that alone is too long is named, with a way to see it", async () => {
  const path = await fileWith(`short\n${"x".repeat(60_000)}\nend\n`, "it's.txt");
  expect((await read({ path })).text).toContain("Read on with offset=2.");
  const { text, details } = await read({ path, offset: 2 });
  expect(text).toContain(`sed -n '2p' 'it'\\''s.txt' | head -c 51200; read on with offset=3`);
  expect(details?.truncation?.firstLineExceedsLimit).toBe(true);
});

test("reading on from offset to offset gives the whole file, however it arrives", async () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "😀") }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 7 }), async (parts, pieceBytes) => {
      const bytes = Buffer.from(parts.map((part) => `${part}\n`).join(""));
      const operations: ReadOperations = {
        access: async () => {},
        readFile: async () => bytes,
        async *stream() {
          for (let at = 0; at < bytes.length; at += pieceBytes) {
            yield bytes.subarray(at, at + pieceBytes);
          }
        },
      };
      const seen: string[] = [];
      for (let offset = 1; offset <= parts.length; offset++) {
        const { text } = await read({ path: "a", offset, limit: 1 }, operations);
        seen.push(text.split("\n")[0] ?? "");
      }
      expect(seen).toEqual(parts);
    }),
    { numRuns: 30 },
  );
});

test("of a file of 2 GB only the part that is needed is read", async () => {
  const handle = await open(join(folder, "huge.log"), "w");
  await handle.write(numbered(100_000));
  await handle.truncate(2 * 1024 ** 3);
  await handle.close();
  let bytesRead = 0;
  const counting: ReadOperations = {
    ...localReadOperations,
    readFile: () => Promise.reject(new Error("read whole")),
    async *stream(path) {
      for await (const piece of localReadOperations.stream?.(path) ?? []) {
        bytesRead += piece.length;
        yield piece;
      }
    },
  };
  const { text } = await read({ path: "huge.log", offset: 50_000, limit: 3 }, counting);
  expect(text).toMatch(
    /^line 50000\nline 50001\nline 50002\n\n\[Lines 50000 to 50002 of more than/,
  );
  expect(bytesRead).toBeLessThan(8 * 1024 * 1024);
});

test("images are recognised by their content and attached", async () => {
  const starts = {
    "image/png": "89504e470d0a1a0a",
    "image/jpeg": "ffd8ffe0",
    "image/gif": "474946383961",
    "image/webp": "524946460000000057454250",
  };
  for (const [mimeType, hex] of Object.entries(starts)) {
    const bytes = Buffer.from(`${hex}00ff`, "hex");
    const path = await fileWith(bytes, "picture.dat");
    const { content } = await createReadTool(folder).execute("call", { path });
    expect(content[1]).toEqual({ type: "image", mimeType, data: bytes.toString("base64") });
  }
});

test("an image too large for models is described, and attached only on request", async () => {
  const path = await fileWith(
    Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(4 * 1024 * 1024)]),
  );
  expect((await createReadTool(folder).execute("call", { path })).content).toHaveLength(1);
  const tool = createReadTool(folder, { autoResizeImages: false });
  expect((await tool.execute("call", { path })).content).toHaveLength(2);
});

test("what cannot be read as text is refused with a way out", async () => {
  await mkdir(join(folder, "sub"));
  await symlink("gone", join(folder, "dangling"));
  await fileWith(Buffer.from("ELF\0\x01\x02"), "program");
  await fileWith(Buffer.from("\uFEFFhi", "utf16le"), "wide.txt");
  await expect(read({ path: "program" })).rejects.toThrow(
    "Cannot read program: it is a binary file",
  );
  await expect(read({ path: "wide.txt" })).rejects.toThrow("iconv");
  await expect(read({ path: "sub" })).rejects.toThrow("Cannot read sub: it is a folder");
  await expect(read({ path: "missing" })).rejects.toThrow("there is nothing at this path");
  await expect(read({ path: "dangling" })).rejects.toThrow("there is nothing at this path");
  await expect(read({ path: "/dev/zero" })).rejects.toThrow("not a regular file");
});

test("bytes that are not UTF-8 do not break the limits", async () => {
  const { details } = await read({
    path: await fileWith(Buffer.alloc(51_000, "\xff\n", "latin1")),
  });
  expect(details?.truncation?.outputBytes).toBeLessThanOrEqual(51200);
});

test.each(["with space", `it's "quoted"`, "two\nlines", "~tilde"])("file name %j", async (name) => {
  expect((await read({ path: await fileWith("found", name) })).text).toBe("found");
});

test("remote operations that only know readFile are enough", async () => {
  const operations: ReadOperations = {
    access: async () => {},
    readFile: async (path) => Buffer.from(`content of ${path}`),
    detectImageMimeType: async () => null,
  };
  expect((await read({ path: "x" }, operations)).text).toBe(`content of ${folder}/x`);
});

test("an abort ends the call at once and stops the reading", async () => {
  const controller = new AbortController();
  let closed = false;
  const endless: ReadOperations = {
    ...localReadOperations,
    access: async () => {},
    async *stream() {
      try {
        for (;;)
          yield await new Promise<Buffer>((resolve) => setImmediate(resolve, Buffer.from("x")));
      } finally {
        closed = true;
      }
    },
  };
  const tool = createReadTool(folder, { operations: endless });
  const call = tool.execute("call", { path: "x", offset: 2 }, controller.signal);
  setTimeout(() => controller.abort(), 20);
  await expect(call).rejects.toThrow("aborted");
  await expect.poll(() => closed).toBe(true);
});
