import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { generatedPages } from "../scripts/docs/pages.ts";
import { ERRORS } from "../src/errors/index.ts";
import { isEventName } from "../src/events/index.ts";
import { commandTree } from "./cli/command-tree.ts";
import { anchorsOf, codeIn, PAGES, ROOT, withoutCode } from "./docs/markdown-files.ts";

const each = (of: (page: string, path: string) => string[]) =>
  [...PAGES].flatMap(([path, page]) => of(page, path));

describe("generated pages", () => {
  it.each([...generatedPages()].map(([path, text]) => [relative(ROOT, path), text]))(
    "%s is what npm run docs would write",
    (path, text) => {
      expect(readFileSync(join(ROOT, path), "utf8")).toBe(text);
    },
  );
});

describe("links", () => {
  const links = (page: string) =>
    [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);

  it("lead to files and headings that are there", () => {
    const dead = each((page, path) =>
      links(page)
        .filter((target) => !/^https?:/.test(target))
        .filter((target) => {
          const [file = "", anchor] = target.split("#");
          const to = file === "" ? path : normalize(join(dirname(path), file));
          if (!existsSync(join(ROOT, to))) return true;
          return anchor !== undefined && !anchorsOf(PAGES.get(to) ?? "").has(anchor);
        })
        .map((target) => `${path}: ${target}`),
    );
    expect(each((page) => links(page)).length).toBeGreaterThan(50);
    expect(dead).toEqual([]);
  });

  it("lead to every page from the index of the docs, and to the index from the README", () => {
    const index = "docs/README.md";
    const named = new Set(links(PAGES.get(index) ?? "").map((to) => normalize(join("docs", to))));
    const others = [...PAGES.keys()].filter((path) => path !== index && path !== "README.md");
    expect(others.filter((path) => !named.has(path))).toEqual([]);
    expect(links(PAGES.get("README.md") ?? "")).toContain(index);
  });
});

describe("the capabilities of crews", () => {
  const page = PAGES.get("docs/crews.md") ?? "";
  const rows = [...page.matchAll(/^\| (\d+) \| .+? \| (.+) \|$/gm)];

  it("are 22, each with tests that are there", () => {
    expect(rows.map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 22 }, (_, at) => at + 1),
    );
    const named = rows.map(([, , tests = ""]) =>
      [...tests.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
    );
    expect(named.filter((paths) => paths.length === 0)).toEqual([]);
    const gone = named.flat().filter((path) => {
      return !path.endsWith(".test.ts") || !existsSync(join(ROOT, path));
    });
    expect(gone).toEqual([]);
  });
});

describe("error codes", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) => !/^errors\/.*codes\.ts$/.test(path))
    .map((path) => readFileSync(join(ROOT, "src", path), "utf8"))
    .join("\n");

  it("are all raised somewhere", () => {
    expect(Object.keys(ERRORS).filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
  });

  it("in the docs exist", () => {
    // Variables that choose among the tests look the same.
    const named = each((page) => page.match(/\bSEAM_(?!TEST_)[A-Z]+_[A-Z_]+\b/g) ?? []);
    expect(named.filter((code) => !(code in ERRORS))).toEqual([]);
  });
});

describe("what the docs tell people to type", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };

  it("npm scripts exist", () => {
    const named = each((page) => codeIn(page)).flatMap((code) =>
      [...code.matchAll(/\bnpm (?:run )?([a-z:]+)/g)].map(([, name = ""]) => name),
    );
    // Commands of npm itself.
    const own = ["link", "install", "uninstall", "ci", "run"];
    expect(named).toContain("test:peers");
    expect(named.filter((name) => !own.includes(name) && !(name in scripts))).toEqual([]);
  });

  it("seam commands and their options exist", async () => {
    const named = each((page) => codeIn(page)).filter((code) => /^seam [a-z]/.test(code));
    const wanted = new Map<string, Set<string>>();
    for (const code of named) {
      const [, command = ""] = /^seam ((?:(?:ext|crew) )?[a-z]+)/.exec(code) ?? [];
      const options = wanted.get(command) ?? new Set();
      for (const [option] of code.matchAll(/--[a-z]+/g)) options.add(option);
      wanted.set(command, options);
    }
    expect([...wanted.keys()]).toContain("ext check");
    const commands = await commandTree();
    for (const [command, options] of wanted) {
      let help = "";
      const writeOut = (text: string) => {
        help += text;
      };
      commands.get(command)?.configureOutput({ writeOut }).outputHelp();
      expect(help).toContain(`Usage: seam ${command}`);
      for (const option of options) expect(help, `seam ${command}`).toContain(option);
    }
  });
});

it("events named in pi.on(…) exist", () => {
  const named = each((page) =>
    [...page.matchAll(/\bpi\.on\("([^"{]+)"/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !isEventName(name))).toEqual([]);
});
