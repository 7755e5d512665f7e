import { describe, expect, it } from "vitest";
import { load, stubHost } from "./test-kit/index.ts";

const REGISTRATIONS = {
  tool: (from: string) =>
    `pi.registerTool({ name: "same", description: "${from}", parameters: { type: "object" }, execute() {} })`,
  command: (from: string) =>
    `pi.registerCommand("same", { handler: (args) => { seen.push("${from} " + args); } })`,
  flag: (from: string) => `pi.registerFlag("same", { type: "string", default: "${from}" })`,
  shortcut: (from: string) =>
    `pi.registerShortcut("same", { handler: () => { seen.push("${from}"); } })`,
  renderer: (from: string) => `pi.registerMessageRenderer("same", () => "${from}")`,
};
type Kind = keyof typeof REGISTRATIONS;
const KINDS = Object.keys(REGISTRATIONS) as Kind[];

const twoWith = (kind: Kind) => ({
  "one.ts": `export default (pi) => { ${REGISTRATIONS[kind]("one")}; };`,
  "two.ts": `export default (pi) => { given.pi = pi; ${REGISTRATIONS[kind]("two")}; };`,
});

describe.each(KINDS)("two extensions with one name for a %s", (kind) => {
  it("are both loaded, and the clash names both", async () => {
    const { set, problem, path } = await load(twoWith(kind));
    expect(set.failures).toEqual([]);
    const { severity, error } = problem("SEAM_NAME_CLASH");
    expect(severity).toBe("warning");
    expect(error.message).toContain(`${kind} "same"`);
    expect(error.message).toContain(`${path("one.ts")} and ${path("two.ts")}`);
    expect(error.next).not.toContain("{");
  });

  it("are reported when the second one comes after loading", async () => {
    const { set, codes, pi } = await load({
      "one.ts": `export default (pi) => { ${REGISTRATIONS[kind]("one")}; };`,
      "two.ts": `export default (pi) => {
        given.pi = pi;
        pi.registerCommand("later", { handler: () => { ${REGISTRATIONS[kind]("two")}; } });
      };`,
    });
    set.bind(stubHost());
    expect(pi()).toBeDefined();
    expect(codes()).toEqual([]);
    await set
      .commands()
      .find(({ invocationName }) => invocationName === "later")
      ?.run("");
    expect(codes()).toEqual(["SEAM_NAME_CLASH"]);
  });
});

describe("who wins", () => {
  it("the first tool", async () => {
    const { set } = await load(twoWith("tool"));
    expect(set.tools().map(({ tool }) => tool.description)).toEqual(["one"]);
  });

  it("both commands, under numbered names", async () => {
    const { set, seen } = await load(twoWith("command"));
    set.bind(stubHost());
    expect(set.commands().map(({ invocationName }) => invocationName)).toEqual([
      "same:1",
      "same:2",
    ]);
    for (const command of set.commands()) await command.run("ran");
    expect(seen).toEqual(["one ran", "two ran"]);
  });

  it("the first shortcut", async () => {
    const { set, seen } = await load(twoWith("shortcut"));
    set.bind(stubHost());
    for (const shortcut of set.shortcuts()) shortcut.run();
    expect(seen).toEqual(["one"]);
  });

  it("the first renderer", async () => {
    const { set } = await load(twoWith("renderer"));
    const draw = set.renderer("same") as unknown as () => string;
    expect(draw()).toBe("one");
  });

  it("the first flag's default, for both", async () => {
    const { set, pi } = await load(twoWith("flag"));
    expect(set.flags().map(({ flag }) => flag.default)).toEqual(["one"]);
    expect(pi().getFlag("same")).toBe("one");
  });

  it("is named first, also when the winner registered later", async () => {
    const { set, problem, pi, path } = await load({
      "one.ts": "export default (pi) => { given.pi = pi; };",
      "two.ts": `export default (pi) => { ${REGISTRATIONS.tool("two")}; };`,
    });
    set.bind(stubHost());
    const parameters = { type: "object" };
    pi().registerTool({
      name: "same",
      description: "one",
      parameters,
      execute: async () => ({ content: [] }),
    });
    const [winner] = set.tools();
    expect(winner?.extension.name).toBe("one");
    expect(problem("SEAM_NAME_CLASH").error.details).toMatchObject({ first: path("one.ts") });
  });
});

it("one extension that registers a name twice replaces its own", async () => {
  const { set } = await load({
    "a.ts": `export default (pi) => { ${REGISTRATIONS.tool("old")}; ${REGISTRATIONS.tool("new")}; };`,
  });
  expect(set.problems).toEqual([]);
  expect(set.tools().map(({ tool }) => tool.description)).toEqual(["new"]);
});
