import { expect, it } from "vitest";
import { load } from "../test-kit/index.ts";

/** What TypeScript takes, an expression over it, and its value. */
const TAKEN: readonly (readonly [name: string, code: string, shows: string, value: unknown])[] = [
  ["constant enums that are only declared", "declare const enum Not { A } \n const x = 1;", "x", 1],
  [
    "an alias of something in a namespace",
    'namespace N { export const v = 1; export type T = string; } import V = N.v; const t: N.T = "x";',
    "[V, t]",
    [1, "x"],
  ],
  [
    "parameter properties behind super()",
    "class B { constructor(public x: number) {} } class D extends B { y = this.x + 1; constructor(x: number, readonly z = 9) { super(x); } }",
    "[new D(3).y, new D(3).z]",
    [4, 9],
  ],
  [
    "as const, and const type parameters",
    'const t = ["a", "b"] as const; const u = <const T,>(x: T) => x;',
    "u(t[1])",
    "b",
  ],
  ["casts in angle brackets", "const v: unknown = 3; const n = <number>v;", "n", 3],
  [
    "decorators of classes and methods",
    "const log = (value: any, context?: any) => value; @log class L { @log m() { return 6; } }",
    "new L().m()",
    6,
  ],
  [
    "using",
    'const log: string[] = []; function u() { using r = { [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() { log.push("gone"); } }; log.push("in"); } u();',
    "log",
    ["in", "gone"],
  ],
  [
    "await using",
    'const log: string[] = []; async function u() { await using r = { async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() { log.push("gone"); } }; log.push("in"); } await u();',
    "log",
    ["in", "gone"],
  ],
  ["import =", 'import fs = require("node:fs");', "typeof fs.readFileSync", "function"],
  [
    "imports of types",
    'import type { Stats } from "node:fs"; import { type Dirent, existsSync } from "node:fs"; type T = import("node:fs").Stats;',
    'existsSync("/")',
    true,
  ],
  [
    "exports of types",
    'export type { Stats } from "node:fs"; export interface Z { a: 1 } export type Y = Z;',
    "1",
    1,
  ],
  [
    "instantiation expressions",
    "class Box<T> { constructor(public v: T) {} } const NB = Box<number>; const mk = Array.from<number>;",
    "new NB(2).v",
    2,
  ],
  [
    "computed members of enums",
    'const k = 3; enum V2 { A = k, B = 10, C, "d-e" = 1 << 4 }',
    '[V2.C, V2["d-e"]]',
    [11, 16],
  ],
  [
    "exported enums and namespaces",
    "export enum X1 { A = 1 } export const enum X2 { B = 2 } export namespace X3 { export const c = 3; }",
    "[X1.A, X2.B, X3.c]",
    [1, 2, 3],
  ],
  [
    "declarations of globals and modules",
    'export abstract class AA { static x = 1 } export declare function nope(): void; declare global { interface Window { x: 1 } } declare module "x" { const y: 1; }',
    "AA.x",
    1,
  ],
  ["imports of JSON", 'import data from "./data.json" with { type: "json" };', "data.a", 1],
  ["await at the top", "const v3 = await Promise.resolve(2);", "v3", 2],
  [
    "fields in their order",
    'class CF { a = 1; b = this.a + 1; static c = 3; ["d" + 1] = 4; "quoted-name" = 5; }',
    "[new CF().b, CF.c, (new CF() as any).d1]",
    [2, 3, 4],
  ],
];

it.each(TAKEN)("%s are compiled as TypeScript does", async (_, code, shows, value) => {
  const { seen, codes } = await load(
    {
      "a.ts": `${code}\nexport default () => { seen.push(${shows}); };\n`,
      "data.json": { a: 1 },
    },
    { entries: ["a.ts"] },
  );
  expect(codes()).toEqual([]);
  expect(seen).toEqual([value]);
});

// The compiler is the one that Pi has: what authors tried there is what loads here.
it.each([
  ["auto-accessors", "class A { accessor v = 4; }", "SEAM_EXT_SYNTAX"],
  [
    "decorators of fields",
    "const d = () => {}; class A { @d f = 2; } new A();",
    "SEAM_EXT_FACTORY",
  ],
])("%s are refused with a reason", async (_, code, expected) => {
  const { codes } = await load({ "a.ts": `${code}\nexport default () => {};\n` });
  expect(codes()).toEqual([expected]);
});

it("export = is what an extension exports", async () => {
  const { seen, codes } = await load(
    {
      "a.ts": 'import helper = require("./helper");\nexport = () => { seen.push(helper.x); };\n',
      "helper.ts": "const h = { x: 3 };\nexport = h;\n",
    },
    { entries: ["a.ts"] },
  );
  expect(codes()).toEqual([]);
  expect(seen).toEqual([3]);
});
