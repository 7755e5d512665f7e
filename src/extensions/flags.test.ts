import { expect, it } from "vitest";
import { load } from "./test-kit/index.ts";

const FLAGS = `export default (pi) => {
  given.pi = pi;
  pi.registerFlag("plan", { type: "boolean", description: "Plan only", default: true });
  pi.registerFlag("ssh", { type: "string" });
};`;

it("a flag has its default until the host sets it", async () => {
  const { set, pi } = await load({ "a.ts": FLAGS });
  expect([pi().getFlag("plan"), pi().getFlag("ssh")]).toEqual([true, undefined]);
  set.setFlag("plan", false);
  set.setFlag("ssh", "host:/path");
  expect([pi().getFlag("plan"), pi().getFlag("ssh")]).toEqual([false, "host:/path"]);
});

it("an extension sees only the flags it registered", async () => {
  const { set, pi } = await load({
    "a.ts": FLAGS,
    "b.ts": "export default (pi) => { given.pi = pi; };",
  });
  set.setFlag("plan", true);
  expect(pi().getFlag("plan")).toBeUndefined();
});

it("a host can list all flags with who registered them", async () => {
  const { set } = await load({ "a.ts": FLAGS });
  expect(set.flags().map(({ name, flag, extension }) => [name, flag.type, extension.name])).toEqual(
    [
      ["plan", "boolean", "a"],
      ["ssh", "string", "a"],
    ],
  );
});
