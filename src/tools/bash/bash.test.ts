import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ToolResult } from "../tool.ts";
import { type BashToolDetails, type BashToolOptions, createBashTool } from "./bash.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-bash-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function bash(
  command: string,
  options: BashToolOptions = {},
): Promise<{ text: string; details?: BashToolDetails }> {
  const { content, details } = await createBashTool(folder, options).execute("call", { command });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return details ? { text, details } : { text };
}

async function failureOf(command: string, options: BashToolOptions = {}): Promise<string> {
  const outcome = await bash(command, options).catch((error: unknown) => error);
  if (outcome instanceof Error) return outcome.message;
  throw new Error("the command succeeded");
}

test("runs in the working folder, in bash, without input", async () => {
  expect((await bash("pwd")).text).toBe(folder);
  expect((await bash('[[ $BASH_VERSION ]] && echo "bash"')).text).toBe("bash");
  expect((await bash("cat; echo done")).text).toBe("done");
  expect((await bash("true")).text).toBe("The command printed nothing.");
});

test("both outputs come in the order they were printed", async () => {
  const command = "for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done";
  const expected = [1, 2, 3, 4, 5].flatMap((number) => [`out${number}`, `err${number}`]);
  expect((await bash(command)).text.split("\n")).toEqual(expected);
});

test("a command that fails is an error with its output and exit code", async () => {
  expect(await failureOf("echo before; echo wrong >&2; exit 3")).toBe(
    "before\nwrong\n\nThe command failed with exit code 3.",
  );
  expect(await failureOf("exit 1")).toBe("The command failed with exit code 1.");
  expect(await failureOf("kill -9 $$")).toBe("The command was killed before it finished.");
});

test("what cannot even be started is explained", async () => {
  const missing = createBashTool(join(folder, "gone")).execute("call", { command: "true" });
  await expect(missing).rejects.toThrow(`There is no folder ${folder}/gone`);
  expect(await failureOf("true", { shellPath: "/no/such/shell" })).toContain("/no/such/shell");
  expect(await failureOf(`true ${"x".repeat(200_000)}`)).toContain("too long");
});

test("without bash, sh runs the command", async () => {
  const path = process.env.PATH;
  process.env.PATH = folder;
  try {
    await writeFile(join(folder, "sh"), '#!/bin/sh\necho "fallback: $2"', { mode: 0o755 });
    expect((await bash("anything")).text).toBe("fallback: anything");
  } finally {
    process.env.PATH = path;
  }
});

test("prefix, spawn hook and shell shape what is run", async () => {
  const options: BashToolOptions = {
    commandPrefix: "GREETING=hello",
    spawnHook: ({ command, cwd, env }) => ({
      command: `${command}; echo $HOOKED in $PWD`,
      cwd: join(cwd, ".."),
      env: { ...env, HOOKED: "yes" },
    }),
    shellPath: "/bin/sh",
  };
  expect((await bash("echo $GREETING", options)).text).toBe(`hello\nyes in ${join(folder, "..")}`);
});

test("bytes that are not text become visible characters", async () => {
  expect((await bash("printf 'a\\0b\\377c\\xe2\\x82'")).text).toBe("a\u2400b\uFFFDc\uFFFD");
  expect((await bash("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac'")).text).toBe("€");
});

describe("long output", () => {
  test("only its end is shown, and all of it is in a file", async () => {
    const { text, details } = await bash("seq 1 2001");
    const path = details?.fullOutputPath ?? "";
    expect(text).toMatch(/^2\n3\n/);
    expect(text.endsWith(`2001\n\n[Only lines 2 to 2001 of 2001. All of it: ${path}]`)).toBe(true);
    expect(details?.truncation).toMatchObject({ totalLines: 2001, outputLines: 2000 });
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(2002);
    rmSync(path);
  });

  test("exactly 2000 lines are shown whole, without a file", async () => {
    expect((await bash("seq 1 2000")).details).toBeUndefined();
  });

  test("one endless line is cut to its last 50 KB", async () => {
    const { text, details } = await bash("head -c 300000 /dev/zero | tr '\\0' x; printf END");
    expect(text).toContain("xEND\n\n[Only the last 50.0KB of line 1.");
    expect(details?.truncation).toMatchObject({ totalBytes: 300_003, lastLinePartial: true });
    const path = details?.fullOutputPath ?? "";
    expect(readFileSync(path)).toHaveLength(300_003);
    rmSync(path);
  });

  test("the error of a failing command names the file", async () => {
    const message = await failureOf("seq 1 5000; exit 2");
    const path = /All of it: (.*)\]/.exec(message)?.[1] ?? "";
    expect(message).toMatch(/exit code 2\.$/);
    expect(existsSync(path)).toBe(true);
    rmSync(path);
  });

  test("an aborted command leaves no file", async () => {
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      const controller = new AbortController();
      const tool = createBashTool(folder);
      const call = tool.execute(
        "call",
        { command: "seq 1 50000; sleep 60" },
        controller.signal,
        () => controller.abort(),
      );
      await expect(call).rejects.toThrow("The command was aborted.");
      expect(await readdir(folder)).toEqual([]);
    } finally {
      process.env.TMPDIR = temporary;
      if (temporary === undefined) delete process.env.TMPDIR;
    }
  });

  test("output that cannot be saved does not fail the command", async () => {
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = join(folder, "gone");
    try {
      const { text, details } = await bash("seq 1 3000");
      expect(text).toContain("The rest could not be saved");
      expect(details?.fullOutputPath).toBeUndefined();
    } finally {
      process.env.TMPDIR = temporary;
      if (temporary === undefined) delete process.env.TMPDIR;
    }
  });
});

describe("updates", () => {
  async function updatesOf(command: string): Promise<string[]> {
    const updates: string[] = [];
    const note = ({ content }: ToolResult) =>
      updates.push(content.map((part) => (part.type === "text" ? part.text : "")).join(""));
    await createBashTool(folder).execute("call", { command }, undefined, note);
    return updates;
  }

  test("show what there is so far, and in the end everything", async () => {
    const updates = await updatesOf("echo one; sleep 0.3; echo two");
    expect(updates).toEqual(["one", "one\ntwo"]);
  });

  test("come at most every 100 ms, however much is printed", async () => {
    const started = Date.now();
    const updates = await updatesOf("for i in $(seq 1 50); do echo $i; sleep 0.01; done");
    const most = (Date.now() - started) / 100 + 2;
    expect(updates.length).toBeLessThanOrEqual(most);
    expect(updates.at(-1)?.endsWith("50")).toBe(true);
  });

  test("a listener that throws does not take the command down", async () => {
    const tool = createBashTool(folder);
    const result = await tool.execute("call", { command: "echo fine" }, undefined, () => {
      throw new Error("broken listener");
    });
    expect(result.content).toEqual([{ type: "text", text: "fine" }]);
  });
});

describe("remote operations", () => {
  test("get command, folder, environment and timeout, and may end in every way", async () => {
    const seen: unknown[] = [];
    const endings = [
      async () => ({ exitCode: 0 }),
      async () => Promise.reject(new Error("timeout:7")),
      async () => Promise.reject(new Error("aborted")),
      () => {
        throw new Error("no connection");
      },
    ];
    const tool = createBashTool("/remote", {
      operations: {
        exec: (command, cwd, { onData, timeout }) => {
          seen.push([command, cwd, timeout]);
          onData(Buffer.from("partial"));
          return (endings.shift() ?? (() => Promise.reject(new Error("called too often"))))();
        },
      },
    });
    const call = () => tool.execute("call", { command: "make", timeout: 7 });
    expect((await call()).content).toEqual([{ type: "text", text: "partial" }]);
    await expect(call()).rejects.toThrow(
      "partial\n\nThe command was stopped: it took longer than 7 seconds",
    );
    await expect(call()).rejects.toThrow("partial\n\nThe command was aborted.");
    await expect(call()).rejects.toThrow("partial\n\nThe command could not be run: no connection");
    expect(seen[0]).toEqual(["make", "/remote", 7]);
  });

  test("that ignore an abort cannot hold the call for ever", async () => {
    const tool = createBashTool("/remote", {
      operations: { exec: () => new Promise(() => {}) },
    });
    const call = tool.execute("call", { command: "x" }, AbortSignal.timeout(10));
    await expect(call).rejects.toThrow("aborted");
  });
});
