import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { inFull, isFull, sampled } from "../../../test/setup/sample.ts";
import { missedHooks } from "../missed-hooks.ts";
import {
  type HookEnd,
  runHook,
  startHook,
  type TestPlace,
  testDaemon,
  testPlace,
  useWay,
} from "../test-kit/setup.ts";
import { ensureClient } from "./ensure-client.ts";

const NOTHING = { code: 0, stdout: "", stderr: "" };
const CALL = { session: "s", tool: "bash", input: {} };
/** The compiled client, and the shell's with each of its helpers. */
const CLIENTS = ["native", "perl", "curl", "node"] as const;

/** A place whose daemon has run once, so that clients know what to do without it. */
async function placeWith(critical: boolean): Promise<TestPlace> {
  const place = testPlace();
  const code = `export const critical = ${critical}; export default () => {};`;
  place.write({ "extensions/gate.ts": code });
  await (await testDaemon(place)).stop();
  expect(existsSync(place.block)).toBe(critical);
  return place;
}

/** The daemon did not start a moment ago, so that nobody waits for it. */
const hopeless = (place: TestPlace) => writeFileSync(place.failed, "");

describe.each(sampled(CLIENTS, "native", "perl"))(
  "an answer that cannot be printed is a no, by the client with %s",
  (via) => {
    const gate =
      "export default (pi) => pi.on('tool_call', () => ({ block: true, reason: 'no' }));";
    // Where Node finds its output closed it opens another one, and cannot tell.
    const outputs = via === "node" ? [">/dev/full"] : [">/dev/full", ">&-"];

    it.each(outputs)("%s", async (output) => {
      const place = testPlace();
      place.write({ "extensions/gate.ts": gate });
      const daemon = await testDaemon(place);
      const unsaid = { code: 2, stdout: "", stderr: "" };
      expect(await runHook(place, "before", CALL, { via, output })).toEqual(unsaid);
      expect(await runHook(place, "stop", CALL, { via, output })).toEqual(NOTHING);
      await daemon.stop();
    });

    it.each(outputs)("%s, also if it was prepared", async (output) => {
      const place = await placeWith(true);
      hopeless(place);
      const unsaid = { code: 2, stdout: "", stderr: "" };
      expect(await runHook(place, "before", CALL, { via, output })).toEqual(unsaid);
    });
  },
);

/** Ways in which a client cannot work as it should. */
const FAULTS: Readonly<Record<string, (place: TestPlace) => Readonly<Record<string, string>>>> = {
  "the daemon cannot be started": (place) => {
    hopeless(place);
    return {};
  },
  "there is no program on the PATH": (place) => {
    hopeless(place);
    return { PATH: "/nowhere" };
  },
  "the PATH is empty": (place) => {
    hopeless(place);
    return { PATH: "" };
  },
  "ring.pl is gone": (place) => {
    hopeless(place);
    rmSync(join(place.bin, "ring.pl"), { force: true });
    return {};
  },
  "hook.cjs is gone": (place) => {
    hopeless(place);
    rmSync(join(place.bin, "hook.cjs"), { force: true });
    return {};
  },
  "no file can be made": (place) => {
    // As on a disk without free inodes.
    rmSync(place.spool, { recursive: true });
    writeFileSync(place.spool, "in the way");
    for (const name of [place.failed, place.missed, place.starting]) mkdirSync(name);
    return {};
  },
};

const says = (end: HookEnd) => (end.stdout === "" ? "" : JSON.parse(end.stdout).block?.reason);

describe.each(CLIENTS)("with the client %s, where", (via) => {
  const isMain = isFull || via === "native" || via === "perl";
  it.runIf(isMain).each(Object.keys(FAULTS))(
    "%s, gates are what the user chose",
    async (fault) => {
      for (const critical of [true, false]) {
        const place = await placeWith(critical);
        useWay(place, via);
        const env = FAULTS[fault]?.(place) ?? {};
        const gate = await runHook(place, "before", CALL, { keeps: true, env });
        expect([gate.code, gate.stderr]).toEqual([0, ""]);
        if (critical) expect(says(gate)).toContain("daemon is not running");
        else expect(gate.stdout).toBe("");
        expect(await runHook(place, "stop", CALL, { keeps: true, env })).toEqual(NOTHING);
      }
    },
    60_000,
  );

  it("the list of closed gates cannot be read, they are closed, and nobody waits for a pipe", async () => {
    const place = await placeWith(true);
    useWay(place, via);
    hopeless(place);
    const replaced: Readonly<Record<string, () => void>> = {
      pipe: () => execFileSync("mkfifo", [place.block]),
      folder: () => mkdirSync(place.block),
      "link to nothing": () => symlinkSync("nothing", place.block),
    };
    for (const [what, replace] of Object.entries(replaced)) {
      rmSync(place.block, { recursive: true });
      replace();
      const { child, ended } = startHook(place, "before");
      const tooLong = setTimeout(() => child.kill("SIGKILL"), 15_000);
      child.stdin?.end(JSON.stringify(CALL));
      const gate = await ended;
      clearTimeout(tooLong);
      expect([what, gate.code, says(gate)]).toEqual([
        what,
        0,
        expect.stringContaining("daemon is not running"),
      ]);
    }
  }, 60_000);

  it.runIf(isMain)(
    "the daemon hangs, the answer comes before the agent stops waiting, and it is said",
    async () => {
      for (const critical of [true, false]) {
        const place = await placeWith(critical);
        useWay(place, via);
        // Short, so that the test is.
        const options = readFileSync(place.curl, "utf8");
        writeFileSync(place.curl, options.replace("# silence = 10", "# silence = 1"));
        let calls = 0;
        const server = createServer((socket) => {
          calls++;
          socket.on("error", () => {});
          socket.resume();
        });
        await new Promise<void>((listening) => server.listen(place.socket, listening));
        const gate = await runHook(place, "before", CALL, { keeps: true });
        if (critical) expect(says(gate)).toContain("does not answer");
        else expect(gate).toEqual(NOTHING);
        // The hook, and the question whether anybody is there.
        expect(calls).toBeGreaterThan(1);
        await new Promise((closed) => server.close(closed));
        const [missed] = missedHooks(place);
        expect(missed).toMatchObject({
          why: "the daemon hung",
          became: critical ? "closed" : "open",
        });
      }
    },
    60_000,
  );

  it.runIf(isFull || via === "native")(
    "a handler takes longer than a silent daemon may, it is waited for",
    async () => {
      const place = testPlace();
      const slow =
        "await new Promise((r) => setTimeout(r, 5500)); return { block: true, reason: 'slow no' };";
      place.write({
        "extensions/slow.ts": `export default (pi) => pi.on("tool_call", async () => { ${slow} });`,
      });
      await testDaemon(place);
      useWay(place, via);
      const options = readFileSync(place.curl, "utf8");
      writeFileSync(place.curl, options.replace("# silence = 10", "# silence = 2"));
      expect(says(await runHook(place, "before", CALL, { keeps: true }))).toBe("slow no");
    },
    60_000,
  );

  it("Seam was removed, it is said once, nothing piles up, and critical gates say what to do", async () => {
    for (const critical of [true, false]) {
      const place = await placeWith(critical);
      ensureClient(place.home, { seam: join(place.home, "gone.js"), native: via === "native" });
      const start = () => runHook(place, "start", { session: "s" }, { keeps: true });
      const first = await start();
      expect(JSON.parse(first.stdout).message).toContain("npx agentseam disable --all");
      expect(await start()).toEqual(NOTHING);
      const gate = await runHook(place, "before", CALL, { keeps: true });
      if (critical) expect(says(gate)).toContain("npx agentseam disable --all");
      else expect(gate).toEqual(NOTHING);
      // A hook that can show nothing says it for whoever reads stderr, once.
      const stop = await runHook(place, "stop", CALL, { keeps: true });
      expect([stop.code, stop.stdout]).toEqual([0, ""]);
      expect(stop.stderr).toContain("npx agentseam disable --all");
      expect(await runHook(place, "stop", CALL, { keeps: true })).toEqual(NOTHING);
      expect(readdirSync(place.spool)).toEqual([]);
      expect(existsSync(place.failed)).toBe(false);
    }
  }, 60_000);

  it.runIf(isMain)(
    "nobody reads the spool, it does not grow without end",
    async () => {
      const place = await placeWith(false);
      useWay(place, via);
      hopeless(place);
      for (let n = 0; n < 1_000; n++) writeFileSync(join(place.spool, `aider~stop~1~2~${n}`), "{}");
      expect(await runHook(place, "stop", CALL, { keeps: true })).toEqual(NOTHING);
      expect(readdirSync(place.spool)).toHaveLength(1_000);
      expect(missedHooks(place).map(({ became }) => became)).toContain("lost");
    },
    60_000,
  );
});

inFull(
  "the shell's client ends in peace where it cannot even note that no daemon came",
  async () => {
    const place = await placeWith(false);
    useWay(place, "perl");
    mkdirSync(place.failed);
    utimesSync(place.failed, 1, 1);
    // What should say who is starting it says nothing: nobody is waited for to the end.
    writeFileSync(place.starting, "");
    expect(await runHook(place, "stop", CALL, { keeps: true })).toEqual(NOTHING);
  },
  60_000,
);

describe("what was missed", () => {
  it("is in the log of the next daemon, and remembered for a day", async () => {
    const place = await placeWith(false);
    hopeless(place);
    for (const via of ["native", "perl"] as const) await runHook(place, "stop", CALL, { via });
    await testDaemon(place);
    expect(place.logged()).toContain("2 hooks of agents got no answer");
    expect(missedHooks(place)).toMatchObject([{ count: 2, became: "open" }]);
    const old = readFileSync(`${place.missed}.seen`, "utf8").replace(/^\d+/gm, "1000");
    writeFileSync(`${place.missed}.seen`, old);
    expect(missedHooks(place)).toEqual([]);
  });
});

it("a reply that makes no sense never makes the compiled client fail", async () => {
  const place = testPlace();
  ensureClient(place.home);
  const whole =
    "HTTP/1.1 200 OK\r\nx-seam-exit: 2\r\nx-seam-stderr: no\\0040\\0012\r\ncontent-length: 4\r\n\r\nbody";
  const replies = [
    "",
    "\0",
    "\r\n\r\n",
    "HTTP/1.1 200 ",
    "HTTP/1.1 200 OK\r\n\r\n",
    "x".repeat(200_000),
    whole.replace(": 4", ": 99999999999999999999"),
    whole.replace(": 4", ": -1"),
    whole.replace("exit: 2", "exit: 2000"),
    whole.replace("exit: 2", "exit: "),
    whole.replace("\\0012", "\\0"),
    whole.replace("\\0012", "\\0999\\"),
    whole.replace("200", "500"),
    ...Array.from({ length: 30 }, (_, n) => whole.slice(0, Math.floor((n * whole.length) / 30))),
    ...Array.from({ length: 30 }, (_, n) => {
      const bytes = Buffer.from(whole);
      bytes[(n * 37) % bytes.length] = (n * 91) % 256;
      return bytes.toString("latin1");
    }),
  ];
  let reply = "";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.from(reply, "latin1")));
  });
  await new Promise<void>((listening) => server.listen(place.socket, listening));
  onTestFinished(() => {
    server.close();
  });
  for (reply of replies) {
    const soon = new Date();
    writeFileSync(place.failed, "");
    utimesSync(place.failed, soon, soon);
    const end = await runHook(place, "raw", CALL, { keeps: true });
    expect([reply, [0, 2].includes(end.code ?? -1) || /exit: \d/.test(reply)]).toEqual([
      reply,
      true,
    ]);
    expect([reply, end.code]).not.toEqual([reply, null]);
  }
}, 60_000);
