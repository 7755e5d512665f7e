import { execFile } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFileMutationQueue } from "./mutation-queue.ts";
import type { ToolResult } from "./tool.ts";
import { createWriteTool } from "./write.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-write-"));
});
afterEach(() => rm(folder, { recursive: true }));

function write(path: string, content: string, signal?: AbortSignal): Promise<ToolResult> {
  return createWriteTool(folder).execute("call", { path, content }, signal);
}

test("creates a file with its folders and reports bytes, not characters", async () => {
  const { content } = await write("new/deep/a.txt", "é€");
  expect(await readFile(join(folder, "new/deep/a.txt"), "utf8")).toBe("é€");
  expect(content).toEqual([{ type: "text", text: "Wrote 5 bytes to new/deep/a.txt." }]);
});

test("replaces a file and keeps its mode", async () => {
  const file = join(folder, "run.sh");
  await writeFile(file, "old");
  await chmod(file, 0o751);
  await write("run.sh", "new");
  expect(await readFile(file, "utf8")).toBe("new");
  expect((await stat(file)).mode & 0o777).toBe(0o751);
});

test("a reader sees the old content or the new one, never a part", async () => {
  const [old, now] = ["a", "b"].map((character) => character.repeat(3_000_000));
  await writeFile(join(folder, "big.txt"), old ?? "");
  let done = false;
  const seen = new Set<string>();
  const reading = (async () => {
    while (!done) seen.add(await readFile(join(folder, "big.txt"), "utf8"));
  })();
  await write("big.txt", now ?? "");
  done = true;
  await reading;
  seen.add(await readFile(join(folder, "big.txt"), "utf8"));
  expect([...seen].every((content) => content === old || content === now)).toBe(true);
});

test("follows a link to a file, also to one that is not there yet", async () => {
  await mkdir(join(folder, "real"));
  await writeFile(join(folder, "real/a.txt"), "old");
  await symlink("real/a.txt", join(folder, "a"));
  await symlink("real/b.txt", join(folder, "b"));
  await write("a", "new a");
  await write("b", "new b");
  expect(await readFile(join(folder, "real/a.txt"), "utf8")).toBe("new a");
  expect(await readFile(join(folder, "real/b.txt"), "utf8")).toBe("new b");
  expect((await lstat(join(folder, "a"))).isSymbolicLink()).toBe(true);
});

test.each([
  "with space.txt",
  `it's "quoted".txt`,
  "two\nlines.txt",
  "-rf",
  "$HOME",
  "x".repeat(255),
])("file name %j", async (name) => {
  await write(name, "content");
  expect(await readdir(folder)).toEqual([name]);
});

test("a folder, a device and a path through a file are refused with the reason", async () => {
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "file"), "");
  await expect(write("sub", "x")).rejects.toThrow("Cannot write sub: it is a folder");
  await expect(write("/dev/null", "x")).rejects.toThrow("not a regular file");
  await expect(write("file/inside", "x")).rejects.toThrow("Cannot write file/inside");
  expect(await readdir(folder)).toEqual(["file", "sub"]);
});

test("a disk that fills up leaves the old file and no temporary one", async () => {
  await writeFile(join(folder, "a.txt"), "old");
  const tool = new URL("./write.ts", import.meta.url).pathname;
  const script = `
    import { createJiti } from "jiti";
    const jiti = createJiti(${JSON.stringify(tool)}, { fsCache: false });
    const { createWriteTool } = await jiti.import(${JSON.stringify(tool)});
    const content = "x".repeat(100_000);
    await createWriteTool(process.argv[1]).execute("call", { path: "a.txt", content }).catch((error) => console.log(error.message));
  `;
  const node = `exec "$0" --input-type=module -e "$1" "$2"`;
  // A limit on the size of files is as good as a full disk, and needs no disk.
  const { stdout } = await promisify(execFile)(
    "bash",
    ["-c", `trap '' XFSZ; ulimit -f 8; ${node}`, process.execPath, script, folder],
    { env: { ...process.env, NODE_OPTIONS: "" } },
  );
  expect(stdout).toContain("Cannot write a.txt: EFBIG");
  expect(await readdir(folder)).toEqual(["a.txt"]);
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("old");
});

test("an abort while waiting for another change ends the call at once and writes nothing", async () => {
  let release = () => {};
  const other = withFileMutationQueue(
    join(folder, "a.txt"),
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  const controller = new AbortController();
  const call = write("a.txt", "never", controller.signal);
  controller.abort();
  await expect(call).rejects.toThrow("aborted");
  release();
  await other;
  await withFileMutationQueue(join(folder, "a.txt"), async () => {});
  expect(await readdir(folder)).toEqual([]);
});

test("operations take the place of the file system", async () => {
  const calls: string[] = [];
  const tool = createWriteTool("/remote", {
    operations: {
      mkdir: async (path) => void calls.push(`mkdir ${path}`),
      writeFile: async (path, content) => void calls.push(`write ${path} ${content}`),
    },
  });
  await tool.execute("call", { path: "a/b.txt", content: "hi" });
  expect(calls).toEqual(["mkdir /remote/a", "write /remote/a/b.txt hi"]);
});
