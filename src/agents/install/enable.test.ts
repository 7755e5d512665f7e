import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Agent } from "../agent.ts";
import { AGENTS } from "../registry.ts";
import { standingOf } from "./check-up.ts";
import { disable, enable, planFor } from "./enable.ts";
import { hookCommand, inPosixShell } from "./hook-command.ts";
import { hashOf } from "./install-record.ts";
import type { Installer, Level } from "./installer.ts";
import { writtenConfigs } from "./test-kit/json-texts.ts";
import { type Ground, ground, meaningOf, newGround, put } from "./test-kit/place.ts";

const installerOf = (agent: Agent) => agent.hooks?.installer as Installer;
const isPlugin = (agent: Agent) => ["pi", "opencode"].includes(agent.name);
const isFlat = (agent: Agent) => ["copilot-cli", "cursor"].includes(agent.name);
const HOOKED = AGENTS.filter(({ hooks, watcher }) => hooks && !watcher);
const LEVELS: Level[] = ["project", "user"];

const BOTH = HOOKED.flatMap((agent) => LEVELS.map((level) => [agent.name, level, agent] as const));
const WITH_JSON = BOTH.filter(([, , agent]) => !isPlugin(agent));

const fileOf = (agent: Agent, level: Level, { place }: Ground) =>
  installerOf(agent).files({ level, place })[0] as string;
const hookNames = (agent: Agent) => Object.keys(agent.hooks?.mapping ?? {});
const firstHook = (agent: Agent) => hookNames(agent)[0] as string;

const foreign = (agent: Agent) =>
  isFlat(agent)
    ? { type: "command", command: "./mine.sh", bash: "./mine.sh" }
    : { matcher: "Bash", hooks: [{ type: "command", command: "./mine.sh", timeout: 5 }] };

/** Files as people have them: what is in one before Seam comes. */
const BEFORE: Record<string, (agent: Agent) => string> = {
  "an empty file": () => "",
  "white space": () => "\n \n",
  "an empty object": () => "{}",
  "an empty object with a line end": () => "{\n}\n",
  "only a comment": () => "// nothing yet\n",
  "a byte order mark": () => '\uFEFF{ "model": "x" }\n',
  "only a byte order mark": () => "\uFEFF",
  "line ends of Windows": () => '{\r\n  "model": "x",\r\n  "list": [\r\n    1\r\n  ]\r\n}\r\n',
  tabs: () => '{\n\t"model": "x",\n\t"more": {\n\t\t"a": 1\n\t}\n}',
  "odd indentation": () => '{ "model":"x",\n       "more"   :{"a":1,\n "b": [ 1,2 ]}}\n\n\n',
  "one line": () => '{"model":"x","more":{"a":[1,2]}}',
  comments: () =>
    '// mine\n{\n  // about the model\n  "model": "x", // this one\n  /* and */ "more": {} // more\n}\n// end',
  "commas at the end": () => '{\n  "model": "x",\n  "more": [1, 2,],\n}\n',
  "an empty hooks object": () => '{ "hooks": {} }',
  "hooks of others": (agent) =>
    JSON.stringify(
      { hooks: { [firstHook(agent)]: [foreign(agent)], Other: [foreign(agent)] } },
      null,
      4,
    ),
  "an empty list": (agent) => `{\n  "hooks": {\n    "${firstHook(agent)}": []\n  }\n}\n`,
  "hooks of others with comments": (agent) =>
    `{\n  "hooks": {\n    // keep\n    "${firstHook(agent)}": [\n      ${JSON.stringify(foreign(agent))}, // mine\n    ],\n  },\n}\n`,
  "a key that is there twice": (agent) =>
    `{ "hooks": { "Other": [] }, "hooks": { "${firstHook(agent)}": [${JSON.stringify(foreign(agent))}] } }`,
};

/** What the agent would run, by hook. */
function commandsIn(agent: Agent, path: string): Record<string, string[]> {
  const hooks = (meaningOf(path).hooks ?? {}) as Record<string, Record<string, unknown>[]>;
  return Object.fromEntries(
    Object.entries(hooks).map(([hook, list]) => [
      hook,
      list.flatMap((item) =>
        ((item.hooks ?? [item]) as Record<string, string>[]).map(
          (one) => one[agent.name === "copilot-cli" ? "bash" : "command"] ?? "",
        ),
      ),
    ]),
  );
}

describe.each(WITH_JSON)("%s at %s level", (_, level, agent) => {
  // At user level it is the same code with another path.
  const states = Object.entries(BEFORE).slice(level === "user" ? -2 : 0);
  it.each(states)("goes into a file with %s and out again to the byte", (_, before) => {
    const here = ground();
    const target = { agent, level };
    const path = fileOf(agent, level, here);
    const original = before(agent);
    put(path, original);
    const was = here.files();
    const meant = meaningOf(path);
    const plan = planFor(target, here);

    expect(enable([target], { ...here })).toHaveLength(1);
    expect(installerOf(agent).health(plan)).toBe("installed");
    const commands = commandsIn(agent, path);
    for (const hook of hookNames(agent)) {
      const ours = commands[hook]?.filter((command) => command.includes("# agentseam"));
      expect(ours).toHaveLength(1);
      expect(ours?.[0]).toContain(`"$seam_hook" ${agent.name} ${hook};`);
    }
    const { hooks, version, ...rest } = meaningOf(path);
    const { hooks: hadHooks, version: __, ...had } = meant;
    expect(rest).toEqual(had);
    for (const [event, list] of Object.entries((hadHooks ?? {}) as Record<string, unknown[]>)) {
      expect((hooks as Record<string, unknown[]>)[event]?.slice(0, list.length)).toEqual(list);
    }

    const written = readFileSync(path);
    expect(enable([target], { ...here })).toEqual([]);
    expect(readFileSync(path)).toEqual(written);

    disable([target], { ...here });
    expect(here.files()).toEqual(was);
    expect(installerOf(agent).health(plan)).toBe("none");
  });
});

describe.each(BOTH)("%s at %s level", (_, level, agent) => {
  it("makes the files and folders it needs, and leaves none behind", () => {
    const here = ground();
    const target = { agent, level };
    const path = fileOf(agent, level, here);
    expect(enable([target], { ...here }).map(({ name }) => name)).toEqual([path]);
    expect(statSync(path).isFile()).toBe(true);
    expect(enable([target], { ...here })).toEqual([]);
    disable([target], { ...here });
    expect(here.files()).toEqual({ home: "folder", project: "folder" });
    expect(readdirSync(join(here.store, "installs"))).toEqual([]);
  });

  it("leaves a folder that somebody else put something into", () => {
    const here = ground();
    const target = { agent, level };
    const path = fileOf(agent, level, here);
    enable([target], { ...here });
    put(join(path, "../notes.txt"), "mine");
    disable([target], { ...here });
    expect(Object.values(here.files()).filter((content) => content !== "folder")).toHaveLength(1);
  });

  it("disables what is not enabled without touching anything", () => {
    const here = ground();
    expect(disable([{ agent, level }], { ...here })).toEqual([]);
    expect(here.files()).toEqual({ home: "folder", project: "folder" });
  });
});

describe.each(WITH_JSON)("%s at %s level, with what came in between", (_, level, agent) => {
  const changed = (here: Ground, edit: (text: string) => string) => {
    const path = fileOf(agent, level, here);
    put(path, edit(readFileSync(path, "utf8")));
    return path;
  };

  it("takes out its own entries only, if the user changed the file since", () => {
    const here = ground();
    const target = { agent, level };
    put(fileOf(agent, level, here), '{\n  "hooks": {},\n  "model": "x"\n}\n');
    enable([target], { ...here });
    const path = changed(here, (text) => text.replace('"x"', '"y",\n  // new\n  "theme": "dark"'));
    disable([target], { ...here });
    const text = readFileSync(path, "utf8");
    expect(meaningOf(path)).toEqual({ hooks: {}, model: "y", theme: "dark" });
    expect(text).toContain("// new");
    expect(text).not.toContain("agentseam");
  });

  it("removes its file although the user reformatted it, and keeps one the user wrote into", () => {
    const here = ground();
    const target = { agent, level };
    enable([target], { ...here });
    const path = changed(here, (text) => JSON.stringify(JSON.parse(text)));
    disable([target], { ...here });
    expect(here.files()[path.slice(here.base.length + 1)]).toBeUndefined();

    enable([target], { ...here });
    changed(here, (text) => JSON.stringify({ ...JSON.parse(text), theme: "dark" }));
    disable([target], { ...here });
    expect(meaningOf(path)).toEqual({ theme: "dark" });
  });

  it("replaces what an older Seam put there, in place; disabling leaves nothing of either", () => {
    const here = ground();
    const target = { agent, level };
    const old = isFlat(agent)
      ? { command: "old/seam # agentseam", bash: "old/seam # agentseam" }
      : { matcher: "Old", hooks: [{ type: "command", command: "old/seam # agentseam" }] };
    const list = [old, foreign(agent), old];
    const path = fileOf(agent, level, here);
    put(
      path,
      JSON.stringify({ hooks: { [firstHook(agent)]: list, Dropped: [old] }, model: "x" }, null, 2),
    );
    const plan = planFor(target, here);
    expect(installerOf(agent).health(plan)).toBe("outdated");
    enable([target], { ...here });
    expect(installerOf(agent).health(plan)).toBe("installed");
    const commands = commandsIn(agent, path)[firstHook(agent)] ?? [];
    expect(commands.map((command) => command.includes("# agentseam"))).toEqual([true, false]);
    expect(readFileSync(path, "utf8")).not.toContain("old/seam");
    disable([target], { ...here });
    expect(meaningOf(path)).toMatchObject({
      model: "x",
      hooks: { [firstHook(agent)]: [foreign(agent)] },
    });
    expect(readFileSync(path, "utf8")).not.toContain("agentseam");
  });

  it("becomes again what it was, also after an update by a newer Seam", () => {
    const here = ground();
    const target = { agent, level };
    const path = fileOf(agent, level, here);
    put(path, "{ /* as it was */ }");
    enable([target], { ...here });
    // As an older Seam would have left it: the same record, another command.
    const record = join(
      here.store,
      "installs",
      readdirSync(join(here.store, "installs"))[0] as string,
    );
    const older = readFileSync(path, "utf8").replaceAll("exit 0", "exit 0;");
    put(path, older);
    const results = [hashOf(Buffer.from(older))];
    put(record, JSON.stringify({ ...JSON.parse(readFileSync(record, "utf8")), results }));
    expect(enable([target], { ...here })).toHaveLength(1);
    disable([target], { ...here });
    expect(readFileSync(path, "utf8")).toBe("{ /* as it was */ }");
  });

  it("finds its entries again when nothing is remembered", () => {
    const here = ground();
    const target = { agent, level };
    put(fileOf(agent, level, here), '{ "model": "x" }');
    enable([target], { ...here });
    const forgotten = { ...here, store: join(here.base, "store-2") };
    disable([target], forgotten);
    const left = meaningOf(fileOf(agent, level, here));
    expect(left.model).toBe("x");
    expect(left.hooks).toBeUndefined();
  });
});

it.each(WITH_JSON)("%s at %s level: any file comes back to the byte", (_, level, agent) => {
  const configs = writtenConfigs(hookNames(agent), isFlat(agent));
  fc.assert(
    fc.property(configs, ({ text }) => {
      const here = newGround();
      const path = fileOf(agent, level, here);
      put(path, text);
      enable([{ agent, level }], { ...here });
      disable([{ agent, level }], { ...here });
      expect(readFileSync(path, "utf8")).toBe(text);
      rmSync(here.base, { recursive: true });
    }),
    { numRuns: 8 },
  );
});

it.each(BOTH)(
  "%s at %s level: the same bytes are written whatever extensions there are, so that what the user agreed to stays agreed",
  (_, level, agent) => {
    const here = ground();
    const path = fileOf(agent, level, here);
    const written = () => {
      enable([{ agent, level }], here);
      return readFileSync(path, "utf8");
    };
    const before = written();
    const gate = "export const critical = true;\nexport default () => {};\n";
    put(join(here.store, "extensions/gate.ts"), gate);
    put(join(here.store, "settings.json"), '{ "whenUnavailable": "block" }');
    put(join(here.place.project, ".seam/extensions/gate.ts"), gate);
    expect(written()).toBe(before);
    disable([{ agent, level }], here);
    expect(written()).toBe(before);
  },
);

it.each(WITH_JSON)(
  "%s at %s level: no hook runs beside the agent, which could end before it",
  (_, level, agent) => {
    const here = ground();
    enable([{ agent, level }], here);
    const { hooks } = meaningOf(fileOf(agent, level, here));
    expect(JSON.stringify(hooks)).toContain("agentseam");
    expect(JSON.stringify(hooks)).not.toMatch(/"(?:is)?[aA]sync\w*":(?!false)/);
  },
);

describe("commands", () => {
  it("do nothing, and do not fail, where Seam is not", () => {
    const here = ground();
    for (const { name, hooks } of HOOKED) {
      if (!hooks) continue;
      const command = hookCommand(name, "Stop");
      const ran = spawnSync("sh", ["-c", command], { env: { HOME: here.place.home } });
      expect([ran.status, ran.stdout.toString(), ran.stderr.toString()]).toEqual([0, "", ""]);
    }
  });

  it("find the client also where the environment does not say where the user lives", () => {
    const { homedir } = userInfo();
    for (const command of [
      hookCommand("codex", "Stop"),
      inPosixShell(hookCommand("cursor", "stop")),
    ]) {
      const ran = spawnSync("sh", ["-xc", command.replaceAll("sh -c", "sh -xc")], {
        env: { PATH: process.env.PATH },
        encoding: "utf8",
      });
      expect(ran.stderr).toMatch(new RegExp(`\\[ -x '?${homedir}/.seam/bin/hook'? \\]`));
    }
  });

  it.each(["user", "project"] as const)(
    "name the client by its path in the user's own files, whatever the environment says: %s",
    (level) => {
      const here = ground();
      const cursor = HOOKED.find(({ name }) => name === "cursor") as Agent;
      const store = join(here.place.home, "a b ü");
      put(join(store, "bin/hook"), '#!/bin/sh\necho "$@"; exit 3\n');
      chmodSync(join(store, "bin/hook"), 0o700);
      enable([{ agent: cursor, level }], { ...here, store });
      expect(standingOf(cursor, level, { ...here, store }).health).toBe("installed");
      const wrapped = commandsIn(cursor, fileOf(cursor, level, here)).stop?.[0] as string;
      for (const command of [hookCommand("cursor", "stop", store), wrapped]) {
        const env = { PATH: process.env.PATH, SEAM_HOME: "/nowhere", HOME: "/nowhere" };
        const ran = spawnSync("sh", ["-c", command], { env });
        expect([ran.status, ran.stdout.toString()]).toEqual([3, "cursor stop\n"]);
      }
    },
  );

  it("look for the client where a path could be taken for something else", () => {
    for (const odd of ["/home/$x", '/a"b', "/a`id`", "/a'b", "/a\\b", "x"]) {
      expect(hookCommand("codex", "Stop", odd)).toBe(hookCommand("codex", "Stop"));
    }
  });

  it("run the client with agent and hook, also through Cursor's shell", () => {
    const here = ground();
    const client = join(here.place.home, "a b/bin/hook");
    put(client, '#!/bin/sh\necho "$@"; cat; exit 3\n');
    chmodSync(client, 0o700);
    const cursor = HOOKED.find(({ name }) => name === "cursor") as Agent;
    enable([{ agent: cursor, level: "project", shared: true }], { ...here });
    expect(standingOf(cursor, "project", here).health).toBe("installed");
    // Written again it is still everybody's.
    const file = fileOf(cursor, "project", here);
    put(file, readFileSync(file, "utf8").replaceAll("exit 0", "exit  0"));
    expect(standingOf(cursor, "project", here).health).toBe("outdated");
    enable([{ agent: cursor, level: "project" }], { ...here });
    const wrapped = commandsIn(cursor, file).stop?.[0] as string;
    for (const command of [hookCommand("cursor", "stop"), wrapped]) {
      const env = { PATH: process.env.PATH, SEAM_HOME: join(here.place.home, "a b") };
      const ran = spawnSync("sh", ["-c", command], { env, input: "payload" });
      expect([ran.status, ran.stdout.toString()]).toEqual([3, "cursor stop\npayload"]);
    }
  });
});
