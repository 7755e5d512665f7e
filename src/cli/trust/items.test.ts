import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { agree } from "../../settings/index.ts";
import { changedMeanwhile, trustItems } from "./items.ts";

/** Puts one text after the other into a file, as fast as it can. */
const FLIPS = `const { renameSync, writeFileSync } = require("node:fs");
const [, path, ...texts] = process.argv;
for (let i = 0; ; i++) {
  writeFileSync(path + ".new", texts[i % texts.length]);
  renameSync(path + ".new", path);
  if (i === 1) process.stdout.write("begun");
}`;

/** A project of which nothing is trusted yet, and a home for what is. */
function project(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "seam-items-")));
  vi.stubEnv("SEAM_HOME", join(root, "home"));
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, ".seam/extensions"), { recursive: true });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true, force: true });
  });
  return root;
}

it("what changes between the question and the answer is known, also in a file that is imported", async () => {
  const root = project();
  const extensions = join(root, ".seam/extensions");
  writeFileSync(join(extensions, "calm.ts"), "export default () => {};");
  writeFileSync(join(extensions, "gate.ts"), 'import "./lib/rules.ts"; export default () => {};');
  mkdirSync(join(extensions, "lib"));
  writeFileSync(join(extensions, "lib/rules.ts"), "steal();");
  writeFileSync(join(root, ".seam/settings.json"), '{"deadlines":{"input":1000}}');
  const shown = await trustItems(root);
  expect(await changedMeanwhile(root, shown)).toEqual([]);
  writeFileSync(join(extensions, "lib/rules.ts"), "// harmless");
  const changed = async () => (await changedMeanwhile(root, shown)).map(({ name }) => name).sort();
  expect(await changed()).toEqual(["gate"]);
  rmSync(join(extensions, "calm.ts"));
  writeFileSync(join(root, ".seam/settings.json"), '{"deadlines":{"input":2000}}');
  expect(await changed()).toEqual(["calm", "gate", "settings.json"]);
});

it("what a settings file is said to ask for is what would be agreed to, however fast it changes", async () => {
  const root = project();
  const path = join(root, ".seam/settings.json");
  const first = '{"deadlines":{"input":1000}}';
  writeFileSync(path, first);
  agree(root, [{ kind: "settings", path, content: new Map([[path, Buffer.from(first)]]) }]);
  const texts = ['{"deadlines":{"input":2000}}', '{"checkpointRemote":"elsewhere"}'];
  const flips = spawn(process.execPath, ["-e", FLIPS, path, ...texts]);
  onTestFinished(() => void flips.kill("SIGKILL"));
  await new Promise((begun) => flips.stdout.once("data", begun));
  const seen = new Set<string>();
  for (let i = 0; i < 30; i++) {
    const [item] = await trustItems(root);
    const said = item?.asks.join() ?? "";
    const agreedTo = item?.changes[0]?.after?.toString() ?? "";
    seen.add(`${said.includes("elsewhere")} ${agreedTo.includes("elsewhere")}`);
  }
  expect([...seen].sort()).toEqual(["false false", "true true"]);
}, 60_000);
