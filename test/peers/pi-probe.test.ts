/** Every value of Pi's packages used once, in Pi and in Seam: a name that is only there is not enough. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEFT_OUT } from "../../scripts/docs/left-out-names.ts";
import { createAgent } from "../../src/host/index.ts";
// Around the index on purpose: models are chosen by name there, and these are made by hand.
import { scriptedModels } from "../../src/host/models/index.ts";
import { requirePeers } from "./pi.ts";
import { PI_MODULES } from "./pi-modules.ts";
import { plain, use } from "./probes/compare.ts";
import { ALL } from "./probes/index.ts";
import type { Module } from "./probes/kit.ts";

requirePeers();

/** Said in words of Seam's own, or of another version, or a whole library. */
const OWN_VALUES: ReadonlySet<string> = new Set([
  "CONFIG_DIR_NAME",
  "DEFAULT_AGENT_IDENTITY",
  "PI_AI_VERSION",
  "TUI_KEYBINDINGS",
  "Type",
  "VERSION",
]);

const HANDED_OUT = Symbol.for("seam.test.modules");
const IMPORTED = `${[...PI_MODULES.keys()]
  .map((name, index) => `import * as m${index} from "@earendil-works/${name}";`)
  .join("\n")}
export default () => {
  globalThis[Symbol.for("seam.test.modules")] = { ${[...PI_MODULES.keys()].map((name, index) => `${JSON.stringify(name)}: m${index}`).join(", ")} };
};
`;

let seam: Readonly<Record<string, Module>> = {};
let end = async () => {};
const before = { ...process.env };

// What an extension sees that runs in an agent: that is whom these modules are for.
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "seam-probe-"));
  process.env.SEAM_HOME = join(folder, "seam");
  process.env.PI_CODING_AGENT_DIR = join(folder, "pi");
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(process.env.SEAM_HOME);
  writeFileSync(join(folder, "all.ts"), IMPORTED);
  const models = scriptedModels([], {
    modelsFile: join(folder, "models.json"),
    authFile: join(folder, "auth.json"),
  });
  const agent = await createAgent({
    cwd: folder,
    models,
    model: "scripted/script",
    extensions: [join(folder, "all.ts")],
  });
  seam = Reflect.get(globalThis, HANDED_OUT);
  end = () => agent.dispose();
});
afterAll(async () => {
  await end();
  Object.assign(process.env, before);
});

const leftOut = (module: string): ReadonlySet<string> =>
  new Set(
    [module, module.split("/")[0] ?? ""].flatMap((one) =>
      Object.values(LEFT_OUT[one] ?? {}).flat(),
    ),
  );

describe.each([...PI_MODULES])("%s", (module, versions) => {
  const probes = ALL[module] ?? {};

  describe.each(versions)("$version", ({ version, names, load }) => {
    const wanted = names.filter((name) => !leftOut(module).has(name));

    test("every function and class has a probe, and every constant the value it has in Pi", async () => {
      const pi = await load();
      const constants = wanted.filter((name) => typeof pi[name] !== "function");
      const unused = wanted.filter((name) => !constants.includes(name) && !probes[name]);
      expect(unused).toEqual([]);
      const values = (of: Module | undefined) =>
        plain(
          Object.fromEntries(
            constants.filter((name) => !OWN_VALUES.has(name)).map((name) => [name, of?.[name]]),
          ),
        );
      expect(values(seam[module])).toEqual(values(pi));
    });

    const used = wanted.flatMap((name) => {
      const probe = probes[name];
      return probe ? [[name, probe] as const] : [];
    });
    test.each(used)("%s does what it does in Pi", async (name, probe) => {
      const pi = await load();
      if (typeof pi.initTheme === "function") pi.initTheme("dark");
      const mine = await use(probe, seam[module] ?? {}, name);
      const isCompared = !("version" in probe) || probe.version === version;
      if ("gives" in probe) expect(mine).toEqual(plain(probe.gives));
      else if (isCompared) expect(mine).toEqual(await use(probe, pi, name));
    });
  });
});
