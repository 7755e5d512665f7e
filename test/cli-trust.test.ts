import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";
import { inFull } from "./setup/sample.ts";

const FILES = {
  ".seam/extensions/gate.ts": 'import { x } from "./lib/x.ts";\nexport default () => x;',
  ".seam/extensions/lib/x.ts": "export const x = 1;",
};

const states = async (here: ReturnType<typeof place>) => {
  const { extensions } = (await here.seam("trust", "--json")).json<{
    extensions: { name: string; trust: string }[];
  }>();
  return extensions.map(({ name, trust }) => [name, trust]);
};

it("--yes trusts, --revoke takes it back", async () => {
  const here = place(FILES);
  expect(await states(here)).toEqual([["gate", "new"]]);
  const trusted = await here.seam("trust", "--yes");
  expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining("Trusted 1.")]);
  expect(await states(here)).toEqual([["gate", "trusted"]]);
  expect((await here.seam("trust")).stdout).toContain("All of it is trusted.");
  expect((await here.seam("trust", "--revoke")).code).toBe(0);
  expect(await states(here)).toEqual([["gate", "new"]]);
});

it("a change in a file it imports counts as a change", async () => {
  const here = place(FILES);
  await here.seam("trust", "--yes");
  here.write({ ".seam/extensions/lib/x.ts": "export const x = 2;" });
  expect(await states(here)).toEqual([["gate", "changed"]]);
  expect((await here.seam("trust", "--yes")).stdout).toContain("changed since you trusted it");
  expect(await states(here)).toEqual([["gate", "trusted"]]);
});

it("without a terminal and without --yes nothing is trusted, exit code 2", async () => {
  const here = place(FILES);
  const { code, stderr } = await here.seam("trust");
  expect(code).toBe(2);
  expect(stderr).toContain("--yes");
  expect(await states(here)).toEqual([["gate", "new"]]);
});

it("--json changes nothing, not even with --yes", async () => {
  const here = place(FILES);
  const { json } = await here.seam("trust", "--json", "--yes");
  expect(json()).toMatchObject({ project: here.project });
  expect(existsSync(join(here.home, "trust.json"))).toBe(false);
});

it("what was agreed to is kept where only the user can read it", async () => {
  const here = place(FILES);
  await here.seam("trust", "--yes");
  expect(statSync(join(here.home, "trust.json")).mode & 0o777).toBe(0o600);
  expect(statSync(join(here.home, "trusted")).mode & 0o777).toBe(0o700);
});

it("says so when there is nothing to trust", async () => {
  const { code, stdout } = await place().seam("trust", "--yes");
  expect([code, stdout]).toEqual([0, "Nothing of this project needs your trust.\n"]);
});

it("settings are trusted like extensions: what they ask for is shown, and the change of it", async () => {
  const here = place({ ".seam/settings.json": '{ "checkpointRemote": "team" }\n' });
  const first = await here.seam("trust", "--yes");
  expect(first.stdout).toContain(".seam/settings.json  new, never looked at");
  expect(first.stdout).toContain("asks to exchange checkpoints with team");
  here.write({ ".seam/settings.json": '{ "checkpointRemote": "elsewhere" }\n' });
  const { stdout } = await here.seam("trust", "--yes");
  expect(stdout).toContain("What you trusted stays in force until you decide.");
  expect(stdout).toMatch(/-1 .*team.*\n +\+1 .*elsewhere/);
  expect((await here.seam("trust", "--json")).json()).toMatchObject({
    settings: [{ name: "settings.json", trust: "trusted", changes: [] }],
    extensions: [],
  });
});

inFull("a name limits it to one; one that is not there is an error", async () => {
  const here = place({ ...FILES, ".seam/extensions/b.ts": "export default () => {};" });
  expect((await here.seam("trust", "gate", "--yes")).stdout).toContain("Trusted 1.");
  expect(await states(here)).toEqual([
    ["b", "new"],
    ["gate", "trusted"],
  ]);
  expect((await here.seam("trust", "--remove", "gate")).stdout).toContain(
    "No longer trusted: gate",
  );
  expect(await states(here)).toEqual([
    ["b", "new"],
    ["gate", "new"],
  ]);
  const { code, stderr } = await here.seam("trust", "gaet");
  expect([code, stderr]).toEqual([2, expect.stringContaining("There is: b, gate.")]);
});

it("what a project contains cannot hide itself from the one who reads the difference", async () => {
  const here = place(FILES);
  await here.seam("trust", "--yes");
  const hidden = 'export const x = "\u202e"; evil();\u001b[2K\rexport const x = 1;\n';
  here.write({ ".seam/extensions/lib/x.ts": hidden });
  const { stdout } = await here.seam("trust", "--yes");
  expect(stdout).toContain('"\\u{202e}"; evil();\\u{1b}[2K\\u{d}export');
});

it("an extension that leads out of the project cannot be trusted", async () => {
  const here = place();
  writeFileSync(join(here.home, "outside.ts"), "export default () => {};");
  mkdirSync(join(here.project, ".seam/extensions"));
  symlinkSync(join(here.home, "outside.ts"), join(here.project, ".seam/extensions/a.ts"));
  const { code, stdout } = await here.seam("trust", "--yes");
  expect([code, stdout]).toEqual([1, expect.stringContaining("leads out of the project")]);
  expect(await states(here)).toEqual([["a", "new"]]);
});
