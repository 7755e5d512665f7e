import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { enable, planFor } from "../install/enable.ts";
import type { Finding, Level } from "../install/installer.ts";
import { type Ground, ground, meaningOf, put } from "../install/test-kit/place.ts";
import { codex } from "./index.ts";
import { hookHash } from "./trust.ts";

const hooksFile = ({ place }: Ground, level: Level) =>
  join(level === "user" ? place.home : place.project, ".codex/hooks.json");

const examine = async (here: Ground, level: Level): Promise<readonly Finding[]> =>
  (await codex.hooks?.installer?.examine(planFor({ agent: codex, level }, here))) ?? [];

/** What Codex writes once the user has agreed to all hooks of a file. */
function agreement(here: Ground, level: Level, change = (hash: string) => hash): string {
  const file = hooksFile(here, level);
  const { hooks } = meaningOf(file) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return Object.entries(hooks)
    .flatMap(([event, groups]) =>
      groups.map((group, i) => {
        const name = event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
        const hash = change(hookHash(event, group.hooks[0] ?? {}));
        return `[hooks.state."${file}:${name}:${i}:0"]\ntrusted_hash = "${hash}"\n`;
      }),
    )
    .join("\n");
}

// As the program itself reported them (hooks/list of version 0.166.0).
it.each([
  [
    "SessionStart",
    { type: "command", command: "echo ran" },
    "f5edbe1ce154362de6b3dae561aaffb6fb781048af4aaab81eb79c3f37b77e7e",
  ],
  [
    "SessionEnd",
    { type: "command", command: "echo ran", timeout: 3 },
    "bdc0a1fa98b73c94aa0fe31c97d2c55d3a0c3ed5a3c44e36cffe70ef64ad5901",
  ],
  [
    "SessionEnd",
    { type: "command", command: "echo ran", timeout: 60 },
    "bdc0a1fa98b73c94aa0fe31c97d2c55d3a0c3ed5a3c44e36cffe70ef64ad5901",
  ],
])("the hash of a hook is the one Codex makes: %s", (event, handler, hash) => {
  expect(hookHash(event, handler)).toBe(`sha256:${hash}`);
});

it("says how many hooks wait for the user's agreement, and that it is theirs to give [codex-hook-trust]", async () => {
  const here = ground();
  enable([{ agent: codex, level: "user" }], here);
  const [finding, ...more] = await examine(here, "user");
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ level: "warning", code: "hooks-untrusted" });
  expect(finding?.stops).toMatchObject({ all: true });
  expect(finding?.text).toContain(
    `${Object.keys(codex.hooks?.mapping ?? {}).length} of Seam's hooks`,
  );
  expect(finding?.next).toContain("Run codex");
  expect(finding?.fix).toBeUndefined();
});

it("is content once all are trusted, and not when one changed or was switched off", async () => {
  const here = ground();
  put(
    hooksFile(here, "user"),
    '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] } }',
  );
  enable([{ agent: codex, level: "user" }], here);
  const config = join(here.place.home, ".codex/config.toml");
  const agreed = agreement(here, "user");
  put(config, agreed);
  expect(await examine(here, "user")).toEqual([]);
  put(config, agreed.replace("session_start:0:0", "session_start:1:0"));
  expect((await examine(here, "user"))[0]?.text).toContain("leaves out 1 of");
  put(config, agreed.replace('session_start:0:0"]\n', 'session_start:0:0"]\nenabled = false\n'));
  expect((await examine(here, "user"))[0]?.text).toContain("leaves out 1 of");
  put(
    config,
    agreement(here, "user", () => "sha256:0"),
  );
  expect(await examine(here, "user")).toHaveLength(1);
});

it("puts its entries behind those of others, whose trust goes by their place", () => {
  const here = ground();
  const mine = { hooks: [{ type: "command", command: "mine" }] };
  put(hooksFile(here, "user"), JSON.stringify({ hooks: { Stop: [mine, mine] } }));
  enable([{ agent: codex, level: "user" }], here);
  const { hooks } = meaningOf(hooksFile(here, "user")) as { hooks: { Stop: unknown[] } };
  expect(hooks.Stop.slice(0, 2)).toEqual([mine, mine]);
  expect(hooks.Stop).toHaveLength(3);
});

it("asks for no more time than Codex gives [codex-short-end]", () => {
  const here = ground();
  enable([{ agent: codex, level: "user" }], here);
  const { hooks } = meaningOf(hooksFile(here, "user")) as {
    hooks: Record<string, { hooks: { timeout: number }[] }[]>;
  };
  expect(hooks.SessionEnd?.[0]?.hooks[0]?.timeout).toBe(3);
  expect(hooks.Interrupt?.[0]?.hooks[0]?.timeout).toBe(3);
  expect(hooks.PreToolUse?.[0]?.hooks[0]?.timeout).toBe(600);
});

it("a project must be trusted before its hooks are even read [codex-project-trust]", async () => {
  const here = ground();
  enable([{ agent: codex, level: "project" }], here);
  const trusted = (folder: string) => `[projects."${folder}"]\ntrust_level = "trusted"\n`;
  const config = join(here.place.home, ".codex/config.toml");
  const codes = async () => (await examine(here, "project")).map(({ code }) => code);
  put(config, agreement(here, "project"));
  expect(await codes()).toEqual(["folder-untrusted"]);
  // Nobody may call it enabled.
  expect((await examine(here, "project"))[0]?.stops).toMatchObject({ all: true });
  put(config, agreement(here, "project") + trusted(here.place.project));
  expect(await codes()).toEqual([]);
  // A worktree of a repository that is trusted.
  const main = join(here.base, "main");
  writeFileSync(join(here.place.project, ".git"), `gitdir: ${main}/.git/worktrees/project\n`);
  put(config, agreement(here, "project") + trusted(main));
  expect(await codes()).toEqual([]);
});

it("says so when config.toml cannot be read, and never writes to it", async () => {
  const here = ground();
  const config = join(here.place.home, ".codex/config.toml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, "model = [broken");
  const was = here.files()["home/.codex/config.toml"];
  enable([{ agent: codex, level: "user" }], here);
  expect((await examine(here, "user")).map(({ code }) => code)).toEqual(["config-invalid"]);
  expect(here.files()["home/.codex/config.toml"]).toBe(was);
});
