import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agree } from "../../settings/index.ts";
import { type Files, loadFrom, tempDir, tempHome, write } from "../test-kit/index.ts";
import { findExtensions, judgeProject } from "./find-extensions.ts";
import { trust } from "./trust.ts";

const EXT = "export default () => {};";

/** A trusted project and a user's folder. */
function setUp({ project = {}, home = {} }: { project?: Files; home?: Files }) {
  const seamHome = tempHome(home);
  const root = tempDir();
  write(root, { ".seam/settings.local.json": "{}", ...project });
  const path = join(root, ".seam/settings.local.json");
  agree(root, [{ kind: "settings", path, content: new Map([[path, readFileSync(path)]]) }]);
  trust(root, judgeProject(root));
  const find = (...paths: string[]) => {
    const result = findExtensions({ cwd: root, paths });
    return { ...result, listed: result.sources.map(({ scope, name }) => `${scope} ${name}`) };
  };
  return { root, home: seamHome, find };
}

describe("the order in which extensions run", () => {
  it("is command line, project, user, packages", () => {
    const { find } = setUp({
      project: {
        "cli.ts": EXT,
        ".seam/extensions/p.ts": EXT,
        ".seam/settings.local.json": { packages: ["./pkg"], extensions: ["./listed.ts"] },
        "listed.ts": EXT,
        "pkg/package.json": { name: "my-pkg", seam: { extensions: ["e.ts"] } },
        "pkg/e.ts": EXT,
      },
      home: { "extensions/u.ts": EXT },
    });
    expect(find("cli.ts").listed).toEqual([
      "cli cli",
      "project p",
      "project listed",
      "user u",
      "package my-pkg",
    ]);
  });

  it("is the file name inside a folder, whatever they are", () => {
    const names = ["b.ts", "a/index.ts", "c.js", "B.ts", "d/index.js", "10.ts", "9.ts"];
    const files = names.map((name) => [`extensions/${name}`, EXT]);
    const { find } = setUp({ home: Object.fromEntries(files) });
    expect(find().sources.map(({ name }) => name)).toEqual(["10", "9", "B", "a", "b", "c", "d"]);
  });

  it("is the order given on the command line", () => {
    const { find } = setUp({ project: { "z.ts": EXT, "a.ts": EXT } });
    expect(find("z.ts", "a.ts").listed).toEqual(["cli z", "cli a"]);
  });
});

describe("what counts as an extension", () => {
  it("files, and folders with an index or a package.json, at whatever depth", () => {
    const { find, home } = setUp({
      home: {
        "extensions/one.ts": EXT,
        "extensions/two.js": EXT,
        "extensions/three/index.ts": EXT,
        "extensions/four/index.js": EXT,
        "extensions/five/package.json": { seam: { extensions: ["./src/main.ts"] } },
        "extensions/five/src/main.ts": EXT,
        "extensions/six/package.json": { pi: { extensions: ["a.ts", "b.ts"] } },
        "extensions/six/a.ts": EXT,
        "extensions/six/b.ts": EXT,
        "extensions/seven/deeper/index.ts": EXT,
        "extensions/seven/deeper/part.ts": EXT,
        "extensions/seven/part.ts": EXT,
        "extensions/nine/package.json": { pi: { extensions: ["src/*/*.ts", "!src/c/**"] } },
        "extensions/nine/src/a/x.ts": EXT,
        "extensions/nine/src/a/x.test.ts": EXT,
        "extensions/nine/src/b/y.ts": EXT,
        "extensions/nine/src/c/z.ts": EXT,
      },
    });
    expect(
      find().sources.map(({ path }) => path.slice(home.length + "/extensions/".length)),
    ).toEqual([
      "five/src/main.ts",
      "four/index.js",
      "nine/src/a/x.ts",
      "nine/src/b/y.ts",
      "one.ts",
      "seven/deeper/index.ts",
      "six/a.ts",
      "six/b.ts",
      "three/index.ts",
      "two.js",
    ]);
  });

  it("not tests, type declarations, other files and node_modules", () => {
    const { find } = setUp({
      home: {
        "extensions/a.ts": EXT,
        "extensions/a.test.ts": EXT,
        "extensions/a.spec.js": EXT,
        "extensions/a.d.ts": "",
        "extensions/README.md": "",
        "extensions/data.json": "{}",
        "extensions/node_modules/index.ts": EXT,
        "extensions/empty/readme.md": "",
      },
    });
    expect(find().listed).toEqual(["user a"]);
  });

  it("a package.json without extensions leaves the index", () => {
    const { find } = setUp({
      home: {
        "extensions/a/package.json": { name: "a", dependencies: {} },
        "extensions/a/index.ts": EXT,
        "extensions/b/package.json": "not json",
        "extensions/b/index.ts": EXT,
      },
    });
    expect(find().listed).toEqual(["user a", "user b"]);
  });

  it("the seam key comes before the pi key, and that before oh-my-pi's", () => {
    const [seam, pi, omp] = ["s.ts", "p.ts", "o.ts"].map((name) => ({ extensions: [name] }));
    const { find } = setUp({
      home: {
        "extensions/a/package.json": { seam, pi, omp },
        "extensions/a/s.ts": EXT,
        "extensions/a/p.ts": EXT,
        "extensions/b/package.json": { pi, omp },
        "extensions/b/p.ts": EXT,
        "extensions/b/o.ts": EXT,
        "extensions/c/package.json": { omp },
        "extensions/c/o.ts": EXT,
        "extensions/c/index.ts": EXT,
      },
    });
    expect(find().listed).toEqual(["user s", "user p", "user o"]);
  });

  it("a folder on the command line is one extension, or a folder of them", () => {
    const { find } = setUp({
      project: { "one/index.ts": EXT, "many/a.ts": EXT, "many/b.ts": EXT },
    });
    expect(find("one").listed).toEqual(["cli one"]);
    expect(find("many").listed).toEqual(["cli a", "cli b"]);
  });

  it("a link that leads to itself does not keep the others from being found", () => {
    const { find, home } = setUp({ home: { "extensions/b.ts": EXT } });
    symlinkSync(join(home, "extensions/a.ts"), join(home, "extensions/a.ts"));
    symlinkSync(join(home, "nowhere"), join(home, "extensions/c.ts"));
    expect(find().listed).toEqual(["user b"]);
  });
});

describe("what is asked for and not there is said", () => {
  it("a path on the command line", async () => {
    const { find, root } = setUp({});
    const { codes } = await loadFrom(root, { sources: find("gone.ts").sources });
    expect(codes()).toEqual(["SEAM_EXT_NOT_FOUND"]);
  });

  it("a folder on the command line without an extension", async () => {
    const { find, root } = setUp({ project: { "empty/readme.md": "" } });
    const { sources, problems } = find("empty");
    const { codes } = await loadFrom(root, { sources });
    expect([...problems.map(({ code }) => code), ...codes()]).toEqual(["SEAM_EXT_NOT_FOUND"]);
  });

  it("a package", () => {
    const { find } = setUp({ home: { "settings.json": { packages: ["not-installed"] } } });
    const { problems } = find();
    expect(problems.map(({ code }) => code)).toEqual(["SEAM_EXT_NOT_FOUND"]);
    expect(problems[0]?.message).toContain("not-installed");
  });

  it("a file that a package.json names", async () => {
    const { find, root } = setUp({
      home: { "extensions/a/package.json": { seam: { extensions: ["gone.ts"] } } },
    });
    const { sources, problems } = find();
    const { codes } = await loadFrom(root, { sources });
    expect([...problems.map(({ code }) => code), ...codes()]).toEqual(["SEAM_EXT_NOT_FOUND"]);
  });
});

describe("settings", () => {
  it("add extensions, from the user's folder and from the project's", () => {
    const { find } = setUp({
      home: { "settings.json": { extensions: ["./more/u.ts"] }, "more/u.ts": EXT },
      project: { ".seam/settings.local.json": { extensions: ["./tools"] }, "tools/t.ts": EXT },
    });
    expect(find().listed).toEqual(["project t", "user u"]);
  });

  it("name packages: the user's in the user's folder, the project's in the project", () => {
    const { find } = setUp({
      home: {
        "settings.json": { packages: ["in-home"] },
        "node_modules/in-home/package.json": { name: "in-home" },
        "node_modules/in-home/extensions/a.ts": EXT,
      },
      project: {
        ".seam/settings.local.json": { packages: ["@scope/in-project"] },
        "node_modules/@scope/in-project/package.json": {
          name: "@scope/in-project",
          pi: { extensions: ["./b.ts"] },
        },
        "node_modules/@scope/in-project/b.ts": EXT,
      },
    });
    expect(find().listed).toEqual(["package @scope/in-project", "package in-home"]);
  });

  it("name packages, and nothing of theirs that lies outside of them", () => {
    const { find, home } = setUp({
      home: {
        "settings.json": { packages: ["named", "folder"] },
        "node_modules/named/package.json": {
          name: "named",
          seam: { extensions: ["a.ts", "../../elsewhere.ts", "linked.ts"] },
        },
        "node_modules/named/a.ts": EXT,
        "node_modules/folder/package.json": { name: "folder" },
        "node_modules/folder/extensions/b.ts": EXT,
        "elsewhere.ts": EXT,
      },
    });
    const packages = join(home, "node_modules");
    for (const link of ["named/linked.ts", "folder/extensions/linked.ts"]) {
      symlinkSync(join(home, "elsewhere.ts"), join(packages, link));
    }
    expect(find().sources.map(({ path }) => path)).toEqual([
      join(packages, "named/a.ts"),
      join(packages, "folder/extensions/b.ts"),
    ]);
  });

  it("leave out what is disabled, wherever it was found", () => {
    const { find } = setUp({
      home: {
        "settings.json": { disabled: ["a", "p"] },
        "extensions/a.ts": EXT,
        "extensions/b.ts": EXT,
      },
      project: { ".seam/extensions/p/index.ts": EXT },
    });
    expect(find().listed).toEqual(["user b"]);
    expect(find().untrusted).toEqual([]);
  });

  it("that are broken are among the problems, and everything else is found", () => {
    const { find } = setUp({ home: { "settings.json": "{ nope", "extensions/a.ts": EXT } });
    expect(find().problems.map(({ code }) => code)).toEqual(["SEAM_SETTINGS_SYNTAX"]);
    expect(find().listed).toEqual(["user a"]);
  });
});

it("what was found is loaded and started in that order", async () => {
  const says = (what: string) => `export default () => { seen.push("${what}"); };`;
  const { find, root } = setUp({
    project: {
      ".seam/extensions/p/index.ts": says("index"),
      ".seam/extensions/q/package.json": { seam: { extensions: ["src/main.ts"] } },
      ".seam/extensions/q/src/main.ts": `import { word } from "dep"; ${says("seam key")}; void word;`,
      ".seam/extensions/q/node_modules/dep/package.json": { name: "dep", main: "index.js" },
      ".seam/extensions/q/node_modules/dep/index.js": "exports.word = 1;",
    },
    home: {
      "extensions/r/package.json": { pi: { extensions: ["main.js"] } },
      "extensions/r/main.js": says("pi key"),
    },
  });
  const { set, seen } = await loadFrom(root, { sources: find().sources });
  expect(set.problems).toEqual([]);
  expect(seen).toEqual(["index", "seam key", "pi key"]);
});

it("what is found twice is loaded once, in the first place", () => {
  const { find } = setUp({
    home: { "settings.json": { extensions: ["./extensions/a.ts"] }, "extensions/a.ts": EXT },
    project: { ".seam/extensions/p.ts": EXT },
  });
  expect(find(".seam/extensions/p.ts", ".seam/extensions/p.ts").listed).toEqual([
    "cli p",
    "user a",
  ]);
});

it("a folder inside the project finds the project's extensions", () => {
  const { root } = setUp({ project: { ".seam/extensions/p.ts": EXT, "deep/er/x.txt": "" } });
  const { sources } = findExtensions({ cwd: join(root, "deep/er") });
  expect(sources.map(({ name }) => name)).toEqual(["p"]);
});

it("nothing anywhere is nothing", () => {
  const { find } = setUp({});
  expect(find()).toMatchObject({ sources: [], untrusted: [], problems: [] });
});

describe("an extension the user named that lies in the project", () => {
  const named = () => {
    const home = tempHome();
    const root = tempDir();
    write(root, { ".seam/.keep": "", "gates/gate.ts": `export const critical = true;\n${EXT}` });
    write(home, { "settings.json": { extensions: [join(root, "gates/gate.ts")] } });
    return { root, find: () => findExtensions({ cwd: root }) };
  };

  it("does not run before its content was agreed to, and is not silently missing", () => {
    const { root, find } = named();
    const [source] = find().sources;
    expect(source).toMatchObject({ name: "gate", scope: "user", copy: { critical: true } });
    expect(source?.copy?.fault).toContain("not agreed");
    trust(root, judgeProject(root));
    expect(find().sources[0]?.copy).not.toHaveProperty("fault");
    expect(find().problems).toEqual([]);
  });

  it("is not left out by the project, not even with the user's agreement", () => {
    const { root, find } = named();
    const path = join(root, ".seam/settings.json");
    write(root, { ".seam/settings.json": { disabled: ["gate"] } });
    agree(root, [{ kind: "settings", path, content: new Map([[path, readFileSync(path)]]) }]);
    trust(root, judgeProject(root));
    expect(find().sources.map(({ name }) => name)).toEqual(["gate"]);
  });

  it("is the user's as ever in other projects", () => {
    const { find } = named();
    expect(find().sources[0]?.copy).toBeDefined();
    const other = tempDir();
    write(other, { ".seam/.keep": "" });
    expect(findExtensions({ cwd: other }).sources[0]).not.toHaveProperty("copy");
  });
});

it("agreements of a version that kept no copies are not silently dropped", () => {
  const { root, home } = setUp({
    project: { ".seam/extensions/p.ts": `export const critical = true;\n${EXT}` },
  });
  const old = { [root]: { ".seam/extensions/p.ts": { ".seam/extensions/p.ts": "0".repeat(64) } } };
  write(home, { "trust.json": old });
  const { sources, problems } = findExtensions({ cwd: root });
  expect(sources[0]?.copy).toMatchObject({ critical: true, fault: expect.any(String) });
  expect(problems.map(({ code }) => code)).toEqual(["SEAM_TRUST_COPY"]);
});

it("says so when what was trusted is lost", () => {
  const { home, find } = setUp({ project: { ".seam/extensions/p.ts": EXT } });
  write(home, { "trust.json": "{ broken" });
  expect(find().problems.map(({ code }) => code)).toEqual(["SEAM_TRUST_FILE"]);
});

describe("a project that cannot be looked through", () => {
  const deep = `{"seam":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

  it("keeps nobody from the user's own extensions, nor from what was trusted there", () => {
    const { root, find } = setUp({
      project: { ".seam/extensions/p/index.ts": EXT },
      home: { "extensions/u.ts": EXT },
    });
    symlinkSync("loop", join(root, ".seam/extensions/p/loop"));
    write(root, {
      ".seam/extensions/n/index.ts": EXT,
      ".seam/extensions/n/package.json": deep,
      ".seam/settings.json": deep,
    });
    symlinkSync("loop", join(root, ".seam/extensions/n/loop"));
    const { listed, problems, untrusted } = find();
    expect(listed).toEqual(["project p", "user u"]);
    expect(untrusted.map(({ name }) => name)).toEqual(["n"]);
    expect(problems.map(({ code }) => code).sort()).toEqual([
      "SEAM_EXT_CHANGED",
      "SEAM_SETTINGS_SYNTAX",
    ]);
  });
});

describe("a project whose folder of extensions somebody filled", () => {
  it("is not looked through, and what was trusted there goes on", () => {
    const { root, find } = setUp({ project: { ".seam/extensions/p.ts": EXT } });
    const many = Array.from({ length: 5_001 }, (_, at) => [`.seam/extensions/n${at}.ts`, EXT]);
    write(root, Object.fromEntries(many));
    const { listed, problems, untrusted } = find();
    expect([listed, untrusted]).toEqual([["project p"], []]);
    expect(problems.map(({ code }) => code)).toContain("SEAM_EXT_PROJECT");
  });
});

describe("what a folder puts in the place of a file", () => {
  it.each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a link to a device", (path: string) => symlinkSync("/dev/zero", path)],
  ])("may be %s, which holds nobody up", (_, make) => {
    const { root, find } = setUp({
      project: { ".seam/extensions/d/index.ts": EXT, ".seam/extensions/ok.ts": EXT },
    });
    make(join(root, ".seam/extensions/d/package.json"));
    make(join(root, ".seam/extensions/x.ts"));
    expect(find().listed).toEqual(["project d", "project ok"]);
    expect(judgeProject(root).map(({ source }) => source.name)).toEqual(["d", "ok"]);
  });
});

describe("what the user agreed to in a project around this one", () => {
  it("runs here too, whatever makes this folder a project, and is watched", () => {
    const { root } = setUp({
      project: {
        ".seam/extensions/gate.ts": EXT,
        "a/.git/HEAD": "",
        "b/.seam/extensions/x.ts": EXT,
      },
    });
    for (const folder of ["a", "b"]) {
      const { sources, untrusted, watched } = findExtensions({ cwd: join(root, folder) });
      expect(sources.map(({ name, copy }) => [name, copy?.project])).toEqual([["gate", root]]);
      expect(untrusted.map(({ name }) => name)).toEqual(folder === "b" ? ["x"] : []);
      expect(watched).toContain(join(root, ".seam/extensions/gate.ts"));
    }
    expect(findExtensions({ cwd: join(root, "..") }).sources).toEqual([]);
  });

  it("runs once where a work tree has the same, and beside one that is not the same", () => {
    const inner = ".worktrees/w/.seam/extensions";
    const { root } = setUp({
      project: {
        ".seam/extensions/gate.ts": EXT,
        ".seam/extensions/other.ts": EXT,
        [`${inner}/gate.ts`]: EXT,
        [`${inner}/other.ts`]: `${EXT} // Not the same.`,
      },
    });
    const cwd = join(root, ".worktrees/w");
    trust(cwd, judgeProject(cwd));
    const found = findExtensions({ cwd }).sources.map(({ name, copy }) => [name, copy?.project]);
    expect(found).toEqual([
      ["gate", cwd],
      ["other", cwd],
      ["other", root],
    ]);
  });

  it("is what runs of a file there that the user's settings name", () => {
    const { root, home } = setUp({ project: { "a/.git/HEAD": "", "gates/gate.ts": EXT } });
    write(home, { "settings.json": { extensions: [join(root, "gates/gate.ts")] } });
    trust(root, judgeProject(root));
    write(root, { "gates/gate.ts": `${EXT} // Somebody changed it.` });
    const { sources, problems } = findExtensions({ cwd: join(root, "a") });
    expect(sources.map(({ name, copy }) => [name, copy?.project])).toEqual([["gate", root]]);
    expect(problems.map(({ code }) => code)).toEqual(["SEAM_EXT_CHANGED"]);
  });
});
