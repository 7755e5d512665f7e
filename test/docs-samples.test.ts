import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestHost } from "../src/testing/index.ts";
import { PAGES, ROOT } from "./docs/markdown-files.ts";

/** Complete files in the docs. All samples of one page share a folder. */
const samples = [...PAGES].flatMap(([page, text]) =>
  [...text.matchAll(/^```ts run\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => {
    const name = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1];
    return { page, name, code, folder: page.replace(/\W/g, "-") };
  }),
);
const isExtension = ({ code }: (typeof samples)[number]) => /^export default/m.test(code);
const titled = (some: typeof samples) =>
  some.map((sample) => [`${sample.page} ${sample.name}`, sample] as const);

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "seam-docs-"));
  mkdirSync(join(dir, "node_modules"));
  // As if the package were installed.
  symlinkSync(ROOT, join(dir, "node_modules", "agentseam"));
  for (const { folder, name = "", code } of samples) {
    mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, folder, name), code);
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function run(args: string[]): Promise<{ code: number; stdout: string; output: string }> {
  const options = { cwd: dir, env: { PATH: process.env.PATH, HOME: dir, SEAM_HOME: dir } };
  return new Promise((done) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? -1) : 0, stdout, output: stdout + stderr });
    });
  });
}

it("every sample says which file it is, once per page", () => {
  const names = samples.map(({ page, name }) => `${page} ${name}`);
  expect(names.filter((name) => name.endsWith("undefined"))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(15);
});

it("all samples type-check", async () => {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      typeRoots: [join(ROOT, "node_modules/@types")],
      // The doors are found as by everybody who installed the package: with the types that ship.
      paths: { "@mariozechner/pi-coding-agent": [join(ROOT, "dist/agentseam.d.ts")] },
    },
    include: ["*/*.ts"],
    exclude: ["node_modules"],
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
  // In one thread: each more looks at the libraries once more, and other tests run beside it.
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { output } = await run([tsc, "-p", dir, "--singleThreaded"]);
  expect(output).toBe("");
}, 60_000);

describe("extensions load without a problem", () => {
  it.each(titled(samples.filter(isExtension)))("%s", async (_, { folder, name = "" }) => {
    const host = await createTestHost({ cwd: join(dir, folder), extensions: [name] });
    await host.dispose();
    expect(host.problems.map(({ error }) => error.message)).toEqual([]);
    expect(host.extensions.extensions).toHaveLength(1);
  });
});

describe("programs run, and print what their comments say", () => {
  const programs = samples.filter((sample) => !isExtension(sample));
  it.each(titled(programs))("%s", async (_, { folder, name = "", code }) => {
    const jiti = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs");
    const ended = await run([jiti, join(dir, folder, name)]);
    expect(ended, ended.output).toMatchObject({ code: 0 });
    const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, text]) => text);
    if (promised.length > 0) expect(ended.stdout.trim().split("\n")).toEqual(promised);
  });
});
