import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { sampled } from "../../../test/setup/sample.ts";
import {
  MemoryRecorder,
  runHook,
  startHook,
  type TestPlace,
  testDaemon,
  testPlace,
  until,
  useWay,
  WAYS,
} from "../test-kit/setup.ts";
import { ensureClient } from "./ensure-client.ts";

const NOTHING = { code: 0, stdout: "", stderr: "" };
const SHELLS = ["dash", "bash", "busybox sh", "zsh"].filter((shell) => {
  const [program = "", ...args] = shell.split(" ");
  return spawnSync(program, [...args, "-c", ":"]).status === 0;
});

const raw = (text: string) => ({ session: "s", raw: text });
const ODD = "a \"b\" 'c' \\n %s %% $HOME `x` ü\u{1f642}\r\n\ttab\n\n";

describe("the answer", () => {
  it.each(WAYS)("is printed to the byte, reached with %s", async (via) => {
    const place = testPlace();
    await testDaemon(place);
    for (const text of ["", "x", ODD, "x-seam-exit: 7\r\n\r\n", "y".repeat(300_000)]) {
      expect(await runHook(place, "raw", raw(text), { via })).toEqual({ ...NOTHING, stdout: text });
    }
  });

  it.each(SHELLS)("is the same in %s", async (shell) => {
    const place = testPlace();
    await testDaemon(place);
    for (const via of WAYS.filter((way) => way !== "native")) {
      const end = await runHook(place, "raw", raw(ODD), { shell, via });
      expect(end).toEqual({ ...NOTHING, stdout: ODD });
    }
  });

  it("comes also where the folders have names nobody should give them", async () => {
    const place = testPlace(`ho me '"$x\`y\`\\ ü`);
    await testDaemon(place);
    for (const via of WAYS) {
      expect(await runHook(place, "raw", raw("x"), { via })).toEqual({ ...NOTHING, stdout: "x" });
    }
  });

  it.each(["/nowhere", ""])("comes also where the PATH of the agent is %j", async (PATH) => {
    const place = testPlace();
    await testDaemon(place);
    for (const via of WAYS) {
      const end = await runHook(place, "raw", raw(ODD), { via, env: { PATH } });
      expect([via, end]).toEqual([via, { ...NOTHING, stdout: ODD }]);
    }
  });

  it("comes also where the path is longer than a socket's may be", async () => {
    const place = testPlace(join(...Array(5).fill("a-very-long-name-of-a-folder")));
    const before = process.cwd();
    process.chdir(place.home);
    try {
      await testDaemon(place);
    } finally {
      process.chdir(before);
    }
    for (const via of WAYS) {
      expect(await runHook(place, "raw", raw("x"), { via })).toEqual({ ...NOTHING, stdout: "x" });
    }
  });

  it("is not changed by what the user's environment asks of curl, perl and node", async () => {
    const place = testPlace();
    await testDaemon(place);
    writeFileSync(join(place.home, "../.curlrc"), "verbose\noutput = /dev/null\n");
    const env = {
      http_proxy: "http://127.0.0.1:9",
      ALL_PROXY: "socks5://127.0.0.1:9",
      PERL5OPT: "-MNoSuchModule",
      PERL_UNICODE: "SDA",
      LC_ALL: "xx_XX.UTF-8",
      NODE_OPTIONS: "--require /nowhere.js",
    };
    for (const via of WAYS) {
      const end = await runHook(place, "raw", raw(ODD), { via, env });
      expect(end).toEqual({ ...NOTHING, stdout: ODD });
    }
  });
});

describe("a payload", () => {
  it.each([
    ["nothing", ""],
    ["half of it", '{"session":"s","cwd'],
    ["no JSON", "hello \0 \x80 world"],
    ["a list", "[1,2]"],
    ["null", "null"],
    ["no session", '{"cwd":"/"}'],
    ["something deep", `{"session":"s","x":${"[".repeat(9_000)}${"]".repeat(9_000)}}`],
  ])("of %s stops nothing, and is kept until it was recorded", async (what, text) => {
    const place = testPlace();
    const recorder = new MemoryRecorder();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    recorder.accept = async (record) => {
      recorder.records.push(record);
      await held;
    };
    await testDaemon(place, { recorder });
    const end = await runHook(place, "before", text);
    if (what === "something deep") expect(end).toEqual(NOTHING);
    else {
      expect({ ...end, stdout: "" }).toEqual(NOTHING);
      // The user is told that nobody was asked; nothing in it is a decision.
      const told = { message: expect.stringContaining("could not read") };
      expect(JSON.parse(end.stdout)).toEqual(told);
    }
    await until(() => recorder.records.length === 1);
    const [segment = ""] = readdirSync(place.journal);
    const lineOf = () => readFileSync(join(place.journal, segment), "utf8").split("\n")[0] ?? "";
    const line = lineOf();
    const kept = JSON.parse(line).text?.trim() ?? line.replace(/.*?"payload":/, "").slice(0, -1);
    expect(kept.trim()).toBe(Buffer.from(text).toString("utf8").trim());
    expect(readdirSync(place.spool)).toEqual([]);
    release();
    await until(() => !/"(?:text|payload)"/.test(lineOf()));
    expect(JSON.parse(lineOf())).toMatchObject({ seq: 1, hook: "before" });
  });

  it.each(sampled(WAYS, "native", "perl"))("of 50 MB arrives, rung for with %s", async (via) => {
    const place = testPlace();
    const daemon = await testDaemon(place);
    const payload = { session: "s", raw: "done", big: "ü".repeat(25 * 1024 * 1024) };
    expect(await runHook(place, "raw", payload, { via })).toEqual({ ...NOTHING, stdout: "done" });
    await until(() => daemon.recorder.records.length === 1);
    expect(statSync(join(place.journal, readdirSync(place.journal)[0] ?? "")).size).toBeGreaterThan(
      50 * 1024 * 1024,
    );
  });

  it.each(sampled(WAYS, "native", "perl"))(
    "goes along with the request where the spool takes nothing, with %s",
    async (via) => {
      const place = testPlace();
      const daemon = await testDaemon(place);
      useWay(place, via);
      rmSync(place.spool, { recursive: true });
      writeFileSync(place.spool, "in the way");
      const payload = { session: "s", cwd: place.project, raw: ODD, big: "x".repeat(200_000) };
      const end = await runHook(place, "raw", payload, { keeps: true });
      expect(end).toEqual({ ...NOTHING, stdout: ODD });
      await until(() => daemon.recorder.records.length === 1);
      expect(daemon.recorder.records[0]).toMatchObject({ pid: process.pid, hook: "raw" });
    },
  );
});

describe("a hook", () => {
  it("of an unknown name, or an unknown agent, gets no answer and is kept", async () => {
    const place = testPlace();
    const daemon = await testDaemon(place);
    expect(await runHook(place, "Whatever", { session: "s" })).toEqual(NOTHING);
    expect(await runHook(place, "ignored", { session: "s" })).toEqual(NOTHING);
    expect(await runHook(place, "Stop", {}, { agent: "nobody" })).toEqual(NOTHING);
    await until(() => daemon.recorder.records.length === 3);
    const { records } = daemon.recorder;
    expect(records.map(({ agent, hook, events }) => [agent, hook, events.length])).toEqual([
      ["aider", "Whatever", 0],
      ["aider", "ignored", 0],
      ["nobody", "Stop", 0],
    ]);
    expect(place.logged()).toContain('"nobody\\", which is not an agent');
  });

  it("tells where it was run, and by whom", async () => {
    const place = testPlace();
    const daemon = await testDaemon(place);
    for (const via of WAYS)
      await runHook(place, "raw", { session: "s", raw: "" }, { cwd: "/", via });
    await until(() => daemon.recorder.records.length === WAYS.length);
    for (const record of daemon.recorder.records) {
      expect(record).toMatchObject({ cwd: "/", pid: process.pid });
    }
  });

  test.each([[[]], [["aider"]], [["../x", "y"]], [["a b", "c"]], [["aider", "x/../../y"]]])(
    "called with %j does nothing",
    (args) => {
      const place = testPlace();
      ensureClient(place.home);
      const end = spawnSync(place.hook, args, { input: "{}", encoding: "utf8" });
      expect([end.status, end.stdout, end.stderr]).toEqual([0, "", ""]);
      expect(readdirSync(place.spool)).toEqual([]);
    },
  );
});

describe("a daemon that does not answer", () => {
  /** Takes calls, and says nothing. */
  async function silent(place: TestPlace): Promise<Server> {
    ensureClient(place.home);
    const server = createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((listening) => server.listen(place.socket, listening));
    onTestFinished(() => {
      server.close();
    });
    return server;
  }

  it.each(sampled(WAYS, "native"))(
    "holds up a commit for moments only, rung with %s",
    async (via) => {
      const place = testPlace();
      const server = await silent(place);
      const isRung = new Promise((rung) => server.once("connection", rung));
      const end = await runHook(place, "post-commit", "what git said", { agent: "git", via });
      await isRung;
      expect(end).toEqual(NOTHING);
      // Nobody took it, so it is still to be read.
      const [file = ""] = readdirSync(place.spool);
      expect(readFileSync(join(place.spool, file), "utf8").trim()).toBe("what git said");
    },
  );

  it.each(sampled(WAYS, "perl"))("is waited for by an agent, rung with %s", async (via) => {
    const place = testPlace();
    const server = await silent(place);
    const rung = new Promise<Socket>((called) => server.once("connection", called));
    const git = new Promise<Socket>((called) => rung.then(() => server.once("connection", called)));
    const gate = runHook(place, "raw", { session: "s" }, { via });
    const socket = await rung;
    await runHook(place, "post-commit", "x", { agent: "git", via });
    await git;
    expect(socket.destroyed).toBe(false);
    socket.end("HTTP/1.1 200 OK\r\nx-seam-exit: 0\r\ncontent-length: 1\r\n\r\nx");
    expect(await gate).toEqual({ ...NOTHING, stdout: "x" });
  });
});

describe("an agent that is slow to say what it wants", () => {
  /**
   * Stands before the daemon, and counts who calls it. It has a folder of its own that looks like the
   * daemon's: a daemon whose socket somebody else takes ends.
   */
  async function doorman(place: TestPlace, lets: (call: number) => boolean) {
    const home = `${place.home}-front`;
    mkdirSync(join(home, "run"), { recursive: true });
    cpSync(place.bin, join(home, "bin"), { recursive: true });
    for (const name of ["curl", "port", "spool", "token", "unavailable"]) {
      symlinkSync(join(place.home, "run", name), join(home, "run", name));
    }
    let calls = 0;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      if (!lets(++calls)) socket.destroy();
      // The daemon may stop before it took the connection: whoever made it hears of that.
      else socket.pipe(connect(place.socket).on("error", () => socket.destroy())).pipe(socket);
    });
    await new Promise<void>((listening) => server.listen(join(home, "run/daemon.sock"), listening));
    onTestFinished(() => {
      server.close();
    });
    return { front: { ...place, home }, calls: () => calls };
  }

  it("is answered, though the daemon has given up the connection that was made for it", async () => {
    const place = testPlace();
    await testDaemon(place);
    useWay(place, "native");
    const { front, calls } = await doorman(place, (call) => call > 1);
    const { child, ended } = startHook(front, "raw");
    await until(() => calls() === 1);
    child.stdin?.end(JSON.stringify(raw("x")));
    expect(await ended).toEqual({ ...NOTHING, stdout: "x" });
    expect(calls()).toBe(2);
  });

  it("is answered by the daemon that came in the place of the one it called first", async () => {
    const place = testPlace();
    const first = await testDaemon(place);
    useWay(place, "native");
    const { front, calls } = await doorman(place, () => true);
    const { child, ended } = startHook(front, "raw");
    await until(() => calls() === 1);
    await first.stop();
    rmSync(place.token, { force: true });
    const second = await testDaemon(place);
    child.stdin?.end(JSON.stringify(raw("x")));
    expect(await ended).toEqual({ ...NOTHING, stdout: "x" });
    await until(() => second.recorder.records.length === 1);
  });
});

describe.runIf(process.platform === "linux" && process.arch === "x64")(
  "a payload of usual size",
  () => {
    /** Hears what clients say, and does with each connection what it is told. */
    async function listener(place: TestPlace, hear: (socket: Socket, heard: string) => void) {
      ensureClient(place.home);
      const heard: string[] = [];
      const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.on("data", (part: Buffer) => {
          heard.push(part.toString("utf8"));
          hear(socket, part.toString("utf8"));
        });
      });
      await new Promise<void>((listening) => server.listen(place.socket, listening));
      onTestFinished(() => {
        server.close();
      });
      return heard;
    }
    const ANSWER = "HTTP/1.1 200 OK\r\nx-seam-exit: 0\r\ncontent-length: 1\r\n\r\nx";
    const idIn = (heard = "") => /^POST \/v1\/ring\/(\S+@\d+) /.exec(heard)?.[1] ?? "";

    it("goes along with the ring, in one piece, and leaves no file", async () => {
      const place = testPlace();
      let spooled: string[] = ["not looked"];
      const heard = await listener(place, (socket) => {
        spooled = readdirSync(place.spool);
        socket.end(ANSWER);
      });
      const payload = JSON.stringify(raw(ODD));
      const end = await runHook(place, "raw", payload, { keeps: true });
      expect(end).toEqual({ ...NOTHING, stdout: "x" });
      expect(heard).toHaveLength(1);
      expect(heard[0]?.split("\r\n\r\n")[1]).toBe(payload);
      expect(idIn(heard[0])).toMatch(/^aider~raw~\d+~\d+~0@\d{19}$/);
      expect([spooled, readdirSync(place.spool)]).toEqual([[], []]);
    });

    it("is in the spool as well when no answer comes, under the id the daemon knows", async () => {
      const place = testPlace();
      let answer = () => {};
      const heard = await listener(place, (socket) => {
        answer = () => socket.end(ANSWER);
      });
      const ended = runHook(place, "raw", raw("x"), { keeps: true });
      await until(() => readdirSync(place.spool).length === 1);
      const [file = ""] = readdirSync(place.spool);
      await until(() => statSync(join(place.spool, file)).size > 0);
      const { mtimeNs } = statSync(join(place.spool, file), { bigint: true });
      expect(`${file}@${mtimeNs}`).toBe(idIn(heard[0]));
      answer();
      expect(await ended).toEqual({ ...NOTHING, stdout: "x" });
      expect(readdirSync(place.spool)).toEqual([]);
    });

    it("is known again by the next daemon when the first took it and died", async () => {
      const place = testPlace();
      const heard = await listener(place, (socket, text) => {
        if (text.includes("@")) socket.destroy();
        else socket.end(ANSWER);
      });
      expect((await runHook(place, "raw", raw("x"), { keeps: true })).stdout).toBe("x");
      const [name = ""] = idIn(heard[0]).split("@");
      expect(name).not.toBe("");
      // The daemon finds the time in the file.
      expect(heard[1]).toContain(`POST /v1/ring/${name} HTTP/1.0`);
    });

    it("is recorded once, with the id of its file", async () => {
      const place = testPlace();
      const daemon = await testDaemon(place);
      await runHook(place, "raw", raw("x"));
      await until(() => daemon.recorder.records.length === 1);
      expect(daemon.recorder.records[0]?.id).toMatch(/^aider~raw~\d+~\d+~0@\d{19}$/);
      expect(daemon.recorder.records[0]).toMatchObject({ pid: process.pid, cwd: place.project });
    });

    it("is not waited for where there is no standard input", async () => {
      const place = testPlace();
      const heard = await listener(place, (socket) => socket.end(ANSWER));
      const closed = spawn("sh", ["-c", `exec "${place.hook}" aider raw <&-`], {
        cwd: place.project,
        stdio: "ignore",
      });
      expect((await once(closed, "close"))[0]).toBe(0);
      expect(heard[0]).toMatch(/^POST \/v1\/ring\/aider~raw~/);
    });

    it("with more than that goes by the spool", async () => {
      const place = testPlace();
      const heard = await listener(place, (socket) => socket.end(ANSWER));
      await runHook(place, "raw", raw("y".repeat(30_000)), { keeps: true });
      expect(heard[0]).toMatch(/^POST \/v1\/ring\/[^@ ]+ /);
      expect(readdirSync(place.spool)).toHaveLength(1);
    });
  },
);

describe("without a daemon", () => {
  /** A daemon that cannot be started. */
  function broken(place: TestPlace): void {
    ensureClient(place.home);
    writeFileSync(place.failed, "");
  }

  it("nothing is said, and what happened is read later", async () => {
    const place = testPlace();
    broken(place);
    for (const via of WAYS) {
      expect(await runHook(place, "stop", { session: "s" }, { via })).toEqual(NOTHING);
    }
    expect(readdirSync(place.spool)).toHaveLength(WAYS.length);
    const daemon = await testDaemon(place);
    await until(() => daemon.recorder.records.length === WAYS.length);
    const [first] = daemon.recorder.records;
    expect(first).toMatchObject({ hook: "stop", events: ["agent_end", "agent_settled"] });
    expect(readdirSync(place.spool)).toEqual([]);
  });

  it("a gate is closed where an extension must not be missing, and only there", async () => {
    const place = testPlace();
    place.write({ "extensions/gate.ts": "export const critical = true; export default () => {};" });
    await (await testDaemon(place)).stop();
    expect(readFileSync(place.block, "utf8")).toBe("/\n");
    broken(place);
    const call = { session: "s", tool: "bash", input: {} };
    for (const shell of ["", ...SHELLS]) {
      const { code, stdout, stderr } = await runHook(place, "before", call, { shell });
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout).block.reason).toContain("daemon is not running");
      const exit = await runHook(place, "exit", call, { shell });
      expect([exit.code, exit.stdout]).toEqual([2, ""]);
      expect(exit.stderr).toContain("daemon is not running");
      expect(await runHook(place, "stop", call, { shell })).toEqual(NOTHING);
    }
    writeFileSync(place.block, "/elsewhere\n/else\n");
    expect(await runHook(place, "before", call)).toEqual(NOTHING);
    writeFileSync(place.block, `/elsewhere\n${place.project}\n`);
    expect((await runHook(place, "before", call)).stdout).toContain("daemon is not running");
    const beside = await runHook(place, "before", call, { cwd: join(place.project, "..") });
    expect(beside).toEqual(NOTHING);
    const link = join(place.project, "../link");
    symlinkSync(place.project, link);
    const env = { PWD: link };
    const behind = await runHook(place, "before", call, { cwd: link, env });
    expect(behind.stdout).toContain("daemon is not running");
  });

  it("gates stay open if the user wants that, or nothing is critical any more", async () => {
    const place = testPlace();
    const critical = "export const critical = true; export default () => {};";
    place.write({ "extensions/gate.ts": critical });
    await (await testDaemon(place)).stop();
    expect(existsSync(place.block)).toBe(true);
    place.write({ "settings.json": '{ "whenUnavailable": "allow" }' });
    await (await testDaemon(place)).stop();
    expect(existsSync(place.block)).toBe(false);
    place.write({ "settings.json": '{ "whenUnavailable": "block" }', "extensions/gate.ts": "" });
    await (await testDaemon(place)).stop();
    expect(readFileSync(place.block, "utf8")).toBe("/\n");
  });
});

describe("the client's files", () => {
  const FILES = [
    "agentseam-mcp",
    "client.json",
    "hook",
    "hook.cjs",
    "hook.sh",
    "program",
    "ring.pl",
  ];

  it("start the MCP server without the further certificates, which would be read for nothing", () => {
    const place = testPlace();
    ensureClient(place.home);
    // Node says so if it was told to read certificates that are not there.
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: "/nowhere/certificates.pem" };
    const { stderr, status } = spawnSync(join(place.bin, "agentseam-mcp"), { env, input: "" });
    expect([status, stderr.toString()]).toEqual([0, ""]);
  });

  it("are written once, and again when they were changed", () => {
    const place = testPlace();
    const first = ensureClient(place.home);
    expect(first).toEqual({ hook: place.hook, written: true, repaired: [] });
    expect(readdirSync(place.bin).sort()).toEqual(FILES);
    expect(statSync(place.hook).mode & 0o777).toBe(0o700);
    expect(ensureClient(place.home).written).toBe(false);
    const program = readFileSync(place.hook);
    writeFileSync(place.hook, "#!/bin/sh\nexit 0\n");
    rmSync(join(place.bin, "ring.pl"));
    const again = ensureClient(place.home);
    expect([again.written, [...again.repaired].sort()]).toEqual([true, ["hook", "ring.pl"]]);
    expect(readFileSync(place.hook).equals(program)).toBe(true);
    expect(readdirSync(place.bin).sort()).toEqual(FILES);
  });

  it("are tried without touching the socket of the daemon that has one compiled", () => {
    const place = testPlace();
    const { hook, missing } = ensureClient(place.home);
    if (missing !== undefined) return;
    const run = join(place.home, "run");
    writeFileSync(join(run, "daemon.sock"), "");
    const program = join(place.home, "copy");
    cpSync(hook, program);
    const tryClient = join(import.meta.dirname, "try-client.cjs");
    const { stdout } = spawnSync(process.execPath, [tryClient, program], { cwd: run });
    expect([`${stdout}`, existsSync(join(run, "daemon.sock"))]).toEqual(["ok", true]);
  });

  it("are the shell's where nothing can be compiled, under the same name", () => {
    const place = testPlace();
    const { missing } = ensureClient(place.home, { native: false });
    expect(missing).toBeDefined();
    expect(readFileSync(place.hook, "utf8")).toContain(process.execPath);
    expect(readFileSync(place.hook)).toEqual(readFileSync(join(place.bin, "hook.sh")));
  });
});
