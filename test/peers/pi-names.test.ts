/** Every value that the published Pi exports, in the old version and the new one, beside Seam's. */
import { describe, expect, test } from "vitest";
import { LEFT_OUT } from "../../scripts/docs/left-out-names.ts";
// Around the index on purpose: these modules are what extensions see, not what other rooms do.
import { wholeModules } from "../../src/host/pi/whole-modules.ts";
import { requirePeers } from "./pi.ts";
import { PI_MODULES } from "./pi-modules.ts";

requirePeers();

const modules = wholeModules(() => {
  throw new Error("no host is asked here");
});
const leftOut = (module: string) => Object.values(LEFT_OUT[module] ?? {}).flat();
/** `pi-ai/compat` has all that `pi-ai` has, so what one leaves out the other does too. */
const alsoLeftOut = (module: string) => (module === "pi-ai/compat" ? leftOut("pi-ai") : []);

describe.each([...PI_MODULES])("%s", (module, versions) => {
  const wanted = new Set(versions.flatMap(({ names }) => names));
  const offered = modules[`@earendil-works/${module}`] ?? {};

  test("has every value that both versions export, but for those that the page says are left out", () => {
    expect(wanted.size).toBeGreaterThan(50);
    const missing = [...wanted].filter((name) => Reflect.get(offered, name) === undefined);
    expect(missing.sort()).toEqual(
      [...leftOut(module), ...alsoLeftOut(module).filter((name) => wanted.has(name))].sort(),
    );
  });

  test("is the same under all scopes", () => {
    for (const scope of ["@mariozechner", "@oh-my-pi"]) {
      expect(Object.keys(modules[`${scope}/${module}`] ?? {})).toEqual(Object.keys(offered));
    }
  });
});

test("at most 40 names are left out", () => {
  expect([...PI_MODULES.keys()].flatMap(leftOut).length).toBeLessThanOrEqual(40);
});
