import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyPlain, freezePlain, samePlain, takePlain, Unusable } from "./plain.ts";

const json = fc.jsonValue();

describe("copyPlain", () => {
  it("makes an equal value that shares no object with the original", () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = copyPlain(value);
        expect(copy).toEqual(value);
        const originals = new Set(objectsIn(value));
        expect(objectsIn(copy).filter((object) => originals.has(object))).toEqual([]);
      }),
    );
  });

  it("keeps what is not plain by reference", () => {
    const date = new Date(0);
    const run = () => {};
    const copy = copyPlain({ date, run, list: [date] });
    expect(copy.date).toBe(date);
    expect(copy.run).toBe(run);
    expect(copy.list[0]).toBe(date);
  });

  it("comes to an end when a value contains itself", () => {
    const loop: Record<string, unknown> = { name: "loop" };
    loop.self = loop;
    const copy = copyPlain(loop);
    expect(copy).not.toBe(loop);
    expect(copy).toHaveProperty("self.self.name", "loop");
  });

  it("reads a tree whose branches know their root in a number of steps that fits its size", () => {
    let reads = 0;
    const root = { children: [] as object[] };
    for (let i = 0; i < 10; i++) {
      const child = Object.defineProperty({}, "root", {
        enumerable: true,
        get: () => {
          // 11 nodes: far more looks than that and it would never end.
          if (++reads > 100_000) throw new Error("reads without end");
          return root;
        },
      });
      root.children.push(child);
    }
    expect(() => copyPlain(root)).not.toThrow();
  });

  it("keeps an own __proto__ key as a key", () => {
    const value: unknown = JSON.parse('{ "__proto__": { "command": "rm" }, "a": 1 }');
    const copy = copyPlain(value);
    expect(Object.keys(Object(copy))).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});

describe("samePlain", () => {
  it("is true for equal values and only for them", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(samePlain(a, copyPlain(a))).toBe(true);
        expect(samePlain(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });

  it.each([
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    [[undefined], []],
    [{ a: 1 }, { a: "1" }],
    [{ a: null }, { a: {} }],
  ])("%j and %j differ", (a, b) => {
    expect(samePlain(a, b)).toBe(false);
    expect(samePlain(b, a)).toBe(false);
  });

  it("comes to an end on values that contain themselves", () => {
    const make = () => {
      const loop: Record<string, unknown> = {};
      loop.a = loop;
      loop.b = loop;
      return loop;
    };
    expect(samePlain(make(), make())).toBe(false);
  });
});

describe("freezePlain", () => {
  it("freezes all the way down", () => {
    const value = freezePlain({ a: { b: [{ c: 1 }] } });
    expect(Object.isFrozen(value.a.b[0])).toBe(true);
    expect(Object.isFrozen(value.a.b)).toBe(true);
    expect(Object.isFrozen(value)).toBe(true);
  });

  it("comes to an end when a value contains itself", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(Object.isFrozen(freezePlain(loop))).toBe(true);
  });
});

describe("takePlain", () => {
  it("makes an equal value of its own of whatever JSON can hold", () => {
    fc.assert(
      fc.property(json, (value) => {
        const taken = takePlain(value);
        expect(taken).toEqual(value);
        const originals = new Set(objectsIn(value));
        expect(objectsIn(taken).filter((object) => originals.has(object))).toEqual([]);
      }),
    );
  });

  it("looks at everything once", () => {
    let looks = 0;
    const value = {
      get field() {
        return ++looks;
      },
    };
    expect(takePlain({ a: value, b: [value] })).toEqual({ a: { field: 1 }, b: [{ field: 1 }] });
    expect(looks).toBe(1);
  });

  const loop: Record<string, unknown> = {};
  loop.list = [{ loop }];
  let deep: unknown = "bottom";
  for (let i = 0; i < 100_000; i++) deep = [deep];

  it.each([
    ["a bigint", () => ({ a: [1n] }), /bigint/],
    ["a value that contains itself", () => loop, /itself/],
    ["nesting without end", () => deep, /deep/],
    [
      "more text than can be sent",
      () => Array.from({ length: 300 }, () => "x".repeat(1 << 20)),
      /large/,
    ],
  ])("refuses %s and says why", (_, make, reason) => {
    const act = () => takePlain(make());
    expect(act).toThrow(Unusable);
    expect(act).toThrow(reason);
  });
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

/** Equal values become equal text, whatever the order of their keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const);
  return { fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
