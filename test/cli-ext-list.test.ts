import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

const EMPTY = "export default () => {};";
const LISTENING = 'export default (pi) => { pi.on("tool_call", () => {}); };';

interface Listed {
  readonly extensions: { name: string; scope: string; ok: boolean; loadMs: number }[];
  readonly untrusted: { name: string; error: { code: string; next: string } }[];
  readonly problems: { code: string; message: string }[];
}

function installed() {
  const here = place({
    "draft.ts": EMPTY,
    ".seam/extensions/b-project.ts": EMPTY,
    ".seam/extensions/a-project.ts": LISTENING,
  });
  mkdirSync(join(here.home, "extensions"));
  const gates = join(here.home, "node_modules/gates");
  mkdirSync(gates, { recursive: true });
  writeFileSync(
    join(gates, "package.json"),
    '{ "name": "gates", "seam": { "extensions": ["./gate.ts"] } }',
  );
  writeFileSync(join(gates, "gate.ts"), EMPTY);
  writeFileSync(join(here.home, "extensions", "mine.ts"), EMPTY);
  writeFileSync(join(here.home, "settings.json"), '{ "packages": ["gates"] }');
  return here;
}

it("lists in the order in which they run: command line, project, user, packages", async () => {
  const here = installed();
  await here.seam("trust", "--yes");
  const { json } = await here.seam("ext", "list", "--json", "-e", "draft.ts");
  const { extensions } = json<Listed>();
  expect(extensions.map(({ name, scope }) => [name, scope])).toEqual([
    ["draft", "cli"],
    ["a-project", "project"],
    ["b-project", "project"],
    ["mine", "user"],
    ["gates", "package"],
  ]);
  expect(extensions.every(({ ok, loadMs }) => ok && loadMs > 0)).toBe(true);
});

it("shows origin, load time and events to people", async () => {
  const here = installed();
  await here.seam("trust", "--yes");
  const { code, stdout } = await here.seam("ext", "list");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /✓ {2}a-project {2}project {2}\d+ ms +\.seam\/extensions\S* +on tool_call/,
  );
  expect(stdout).toMatch(/mine +user/);
});

it("does not load what nobody trusted, and says how to", async () => {
  const here = installed();
  const { json } = await here.seam("ext", "list", "--json");
  const { extensions, untrusted } = json<Listed>();
  expect(extensions.map(({ name }) => name)).toEqual(["mine", "gates"]);
  expect(untrusted).toMatchObject([
    { name: "a-project", error: { code: "SEAM_EXT_UNTRUSTED" } },
    { name: "b-project", error: { code: "SEAM_EXT_UNTRUSTED" } },
  ]);
  expect((await here.seam("ext", "list")).stdout).toContain("run: seam trust");
});

it("lists what changed after it was trusted as it was, and says so", async () => {
  const here = installed();
  await here.seam("trust", "--yes");
  here.write({ ".seam/extensions/b-project.ts": "export default () => { /* other */ };" });
  const { extensions, problems } = (await here.seam("ext", "list", "--json")).json<Listed>();
  expect(extensions.map(({ name }) => name)).toContain("b-project");
  expect(problems).toMatchObject([{ code: "SEAM_EXT_CHANGED" }]);
});

it("leaves out what is disabled, and names a package that is not there", async () => {
  const here = installed();
  const settings = '{ "disabled": ["mine"], "packages": ["gates", "gone"] }';
  writeFileSync(join(here.home, "settings.json"), settings);
  const { extensions, problems } = (await here.seam("ext", "list", "--json")).json<Listed>();
  expect(extensions.map(({ name }) => name)).toEqual(["gates"]);
  expect(problems).toMatchObject([{ code: "SEAM_EXT_NOT_FOUND" }]);
  expect(problems[0]?.message).toContain("gone");
});

it("one that fails is listed as failed, the others go on", async () => {
  const here = installed();
  writeFileSync(join(here.home, "extensions", "broken.ts"), "throw new Error('no');");
  const { stdout } = await here.seam("ext", "list");
  expect(stdout).toMatch(/✗ {2}broken +user +failed/);
  expect(stdout).toMatch(/✓ {2}mine/);
});

it("with none at all it says how to make one", async () => {
  const { code, stdout } = await place().seam("ext", "list");
  expect(code).toBe(0);
  expect(stdout).toContain("seam ext new");
});
