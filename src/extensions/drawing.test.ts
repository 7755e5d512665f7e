import { expect, it } from "vitest";
import { Text } from "../terminal/index.ts";
import type { ExtensionAPI } from "./api/extension-api.ts";
import { loadExtensions } from "./load/load-extensions.ts";

const loaded = (...factories: ((pi: ExtensionAPI) => unknown)[]) =>
  loadExtensions({
    cwd: "/",
    sources: factories.map((factory, at) => ({ name: `ext-${at}`, factory })),
  });
const about = { messageType: "assistant", isStreaming: false, availableWidth: 80 } as const;

it("each extension changes the Markdown that the one before made", async () => {
  const set = await loaded(
    (pi) => pi.registerMarkdownTransformer((text) => `${text} one`),
    (pi) => pi.registerMarkdownTransformer((text, { messageType }) => `${text} two ${messageType}`),
  );
  expect(set.markdown("zero", about)).toBe("zero one two assistant");
});

it("a transformer that throws or returns no text is reported once and then left out", async () => {
  const set = await loaded(
    (pi) =>
      pi.registerMarkdownTransformer(() => {
        throw new Error("no");
      }),
    (pi) => pi.registerMarkdownTransformer(() => Object(3)),
    (pi) => pi.registerMarkdownTransformer((text) => `${text}!`),
  );
  for (let i = 0; i < 3; i++) expect(set.markdown("hi", about)).toBe("hi!");
  expect(set.problems.map(({ path }) => path)).toEqual(["<ext-0>", "<ext-1>"]);
});

it("a tool renderer can choose another way to draw, or leave it to the next and to the tool", async () => {
  const set = await loaded(
    (pi) =>
      pi.registerToolRenderer((name, next) =>
        name === "mine" ? { ...next(), renderShell: "self" } : next(),
      ),
    (pi) => {
      pi.registerTool({
        name: "mine",
        description: "Mine",
        parameters: { type: "object" },
        execute: async () => ({ content: [] }),
        renderCall: () => new Text("call"),
      });
      pi.registerToolRenderer((name, next) =>
        name === "foreign" ? { renderCall: () => new Text("drawn") } : next(),
      );
    },
  );
  expect(set.toolRenderers("mine")).toMatchObject({
    renderShell: "self",
    renderCall: expect.any(Function),
  });
  expect(set.toolRenderers("foreign")?.renderCall).toBeTypeOf("function");
  expect(set.toolRenderers("other")).toBeUndefined();
});

it("a tool renderer that throws is passed over", async () => {
  const set = await loaded(
    (pi) =>
      pi.registerToolRenderer(() => {
        throw new Error("no");
      }),
    (pi) => pi.registerToolRenderer(() => ({ renderShell: "self" })),
  );
  expect(set.toolRenderers("any")).toEqual({ renderShell: "self" });
  expect(set.problems).toHaveLength(1);
});

it("entries are drawn by the first extension that says how", async () => {
  const set = await loaded(
    (pi) => pi.registerEntryRenderer("card", () => new Text("first")),
    (pi) => pi.registerEntryRenderer("card", () => new Text("second")),
  );
  const entry = {
    type: "custom" as const,
    id: "1",
    parentId: null,
    timestamp: "",
    customType: "card",
  };
  const hints = { keyText: () => "", keyHint: () => "", expanded: false };
  const drawn = set.entryRenderer("card")?.(entry, hints, Object(undefined));
  expect(drawn?.render(20).join("")).toContain("first");
  expect(set.entryRenderer("other")).toBeUndefined();
});

it.each([
  ["registerMarkdownTransformer", [undefined]],
  ["registerToolRenderer", ["no function"]],
  ["registerEntryRenderer", ["card", {}]],
] as const)("%s refuses what is no function", async (method, args) => {
  const set = await loaded((pi) => Reflect.apply(Reflect.get(pi, method), pi, [...args]));
  expect(set.failures.map(({ problem }) => problem.error.code)).toEqual(["SEAM_RENDERER_INVALID"]);
});

it("with one argument, setLabel names the extension, also while it loads", async () => {
  const set = await loaded((pi) => pi.setLabel("My extension"));
  expect(set.failures).toEqual([]);
  expect(set.extensions[0]?.label).toBe("My extension");
});

it("parameters that follow the Standard JSON Schema are taken, as those of zod", async () => {
  const json = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const parameters: object = { "~standard": { jsonSchema: { input: () => json } } };
  const set = await loaded((pi) =>
    pi.registerTool(
      Object({ name: "z", description: "Z", parameters, execute: async () => ({ content: [] }) }),
    ),
  );
  expect(set.failures).toEqual([]);
  expect(set.tools()[0]?.tool.parameters).toEqual(json);
});
