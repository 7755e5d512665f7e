import { describe, expect, it } from "vitest";
import { childProcesses } from "./test-kit/index.ts";

const run = childProcesses();

const extension = (body: string) => `import fs from "node:fs";
import { EventEmitter } from "node:events";
import { spawn } from "node:child_process";
export default (pi) => { ${body} };
const fail = () => { throw new Error("left behind"); };
`;

const LEFT_BEHIND = {
  timer: "setTimeout(fail, 1);",
  interval: "const i = setInterval(() => { clearInterval(i); fail(); }, 1);",
  immediate: "setImmediate(fail);",
  microtask: "queueMicrotask(fail);",
  "timer-of-node": "globalThis.setTimeout(fail, 1);",
  "detached-promise": "void (async () => { await 0; fail(); })();",
  "rejected-promise": "void Promise.reject(new Error('nobody waits'));",
  tick: "process.nextTick(fail);",
  "fs-callback": "fs.stat('.', fail);",
  "fs-watch":
    "const w = fs.watch(__filename, () => { w.close(); fail(); }); fs.appendFileSync(__filename, ' ');",
  emitter:
    "const e = new EventEmitter(); e.on('x', fail); globalThis.setTimeout(() => e.emit('x'), 1);",
  "child-process": "spawn('echo', ['hi']).stdout.on('data', fail);",
};

it("what extensions left behind is reported, each by its name, and does not end the process", async () => {
  const names = Object.keys(LEFT_BEHIND).map((name) => `${name}.ts`);
  const sources = Object.values(LEFT_BEHIND).map(extension);
  const files = Object.fromEntries(names.map((name, i) => [name, sources[i] ?? ""]));
  const { code, stdout, stderr } = await run(files, `await reported(${names.length});`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [last, ...reports] = stdout.trimEnd().split("\n").reverse();
  expect(last).toBe("still here");
  expect(reports.sort()).toEqual(names.map((name) => `SEAM_TIMER_THREW ${name}`).sort());
});

async function survives(body: string) {
  const { code, stdout, stderr } = await run({ "bad.ts": extension(body) }, "await reported(1);");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe("SEAM_TIMER_THREW bad.ts\nstill here\n");
}

describe("the same holds for errors that do not mention the extension's file", () => {
  it.each([
    ["a promise rejected with a string", "void Promise.reject('just text');"],
    ["a promise rejected with nothing", "void Promise.reject();"],
    ["a string thrown in a tick", "process.nextTick(() => { throw 'just text'; });"],
    ["a promise of Node's that rejects", "void fs.promises.readFile('/no/such/file');"],
    ["a program that is not there", "spawn('no-such-program');"],
    ["a stream of a file that is not there", "fs.createReadStream('/no/such/file');"],
  ])("%s", (_, body) => survives(body));

  it("a library in the extension's own node_modules", async () => {
    const { code, stdout } = await run({
      "bad.ts": `import "dep"; export default () => {};`,
      "node_modules/dep/package.json": `{ "name": "dep", "main": "index.js" }`,
      "node_modules/dep/index.js": "setTimeout(() => { throw new Error('library'); }, 5);",
    });
    expect(stdout).toBe("SEAM_TIMER_THREW bad.ts\nstill here\n");
    expect(code).toBe(0);
  });
});

describe("it holds from the first line to after the end", () => {
  it("while the extension is still loading", async () => {
    const { code, stdout } = await run({
      "bad.ts": `void Promise.reject(new Error("early"));
        await new Promise((resolve) => setTimeout(resolve, 20));
        export default () => {};`,
    });
    expect(stdout).toBe("SEAM_TIMER_THREW bad.ts\nstill here\n");
    expect(code).toBe(0);
  });

  it("after the extension failed to load", async () => {
    const body = "globalThis.setTimeout(fail, 5); throw new Error('no start');";
    const { code, stdout } = await run({ "bad.ts": extension(body) });
    expect(stdout).toContain("still here");
    expect(code).toBe(0);
  });

  it("after the session is over", async () => {
    const { code, stdout } = await run(
      { "bad.ts": extension("globalThis.setTimeout(() => pi.sendUserMessage('late'), 20);") },
      "set.dispose();",
    );
    expect(stdout).toContain("still here");
    expect(code).toBe(0);
  });
});

describe("what is not an extension's ends the process as it would without Seam", () => {
  const GOOD = { "good.ts": "export default () => {};" };

  it.each([
    ["an exception", "setTimeout(() => { throw new Error('mine'); }, 1); await wait(50);"],
    ["a rejection", "void Promise.reject(new Error('mine')); await wait(50);"],
    ["a throw at the top", "throw new Error('mine');"],
  ])("%s", async (_, script) => {
    const { code, stdout, stderr } = await run(GOOD, script);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Error: mine");
  });

  it("a listener of the host's decides, if there is one", async () => {
    const script = `process.on("uncaughtException", (error) => console.log("host:", error.message));
      setTimeout(() => { throw new Error("mine"); }, 1);`;
    const { code, stdout } = await run(GOOD, script);
    expect(code).toBe(0);
    expect(stdout).toBe("host: mine\nstill here\n");
  });

  it("also after the session is over", async () => {
    const script =
      "set.dispose(); setTimeout(() => { throw new Error('mine'); }, 1); await wait(50);";
    const { code, stderr } = await run(GOOD, script);
    expect(code).toBe(1);
    expect(stderr).toContain("Error: mine");
  });
});

it("loading leaves no timer of its own behind", async () => {
  const { code, stdout } = await run(
    { "good.ts": "export default () => {};" },
    "console.log(process.getActiveResourcesInfo().filter((r) => r === 'Timeout').length);",
  );
  expect(code).toBe(0);
  expect(stdout).toBe("0\nstill here\n");
});
