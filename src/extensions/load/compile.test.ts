import ts from "@typescript/typescript6";
import { expect, it } from "vitest";
import { load } from "../test-kit/index.ts";
import { compile } from "./compile.ts";

/** Programs that put what they find out into `out`. */
const PROGRAMS = {
  "a namespace": `namespace Shape { export const sides = 4; export function area(a: number) { return a * sides; } }
    out.push(Shape.area(2));`,
  "a namespace that is added to": `namespace A { export const one = 1; } namespace A { export const two = A.one + 1; }
    out.push(A.one, A.two);`,
  "a namespace with a name of two parts": "namespace A.B { export const c = 3; } out.push(A.B.c);",
  "a namespace beside a function": `function f() { return 1; } namespace f { export const extra = 2; }
    out.push(f(), f.extra);`,
  "a namespace of types alone":
    "namespace T { export interface X { a: string } } const x: T.X = { a: 'a' }; out.push(x.a);",
  "an optional method with optional calls in it": `class Tool { m?(): unknown { const x: any = { y: undefined }; return x.y?.() ?? "z"; } }
    out.push(new Tool().m?.());`,
  "optional calls and defaults": `const a: any = { b: { c: () => 0 } }; out.push(a?.b?.c?.() ?? 1, a.x?.y?.[0]?.() ?? "d", a.b["c"]?.());`,
  "an enum": "enum E { A, B = 5, C } out.push(E.A, E.C, E[5]);",
  "an enum of strings, and one that is const": `enum S { A = "a" } const enum N { X = 1 << 2 } out.push(S.A, N.X);`,
  "parameter properties":
    "class P { constructor(private readonly a: number, public b = 2) {} sum() { return this.a + this.b; } } out.push(new P(1).sum());",
  "abstract classes, overrides and index signatures": `abstract class A { abstract m(): number; [key: string]: unknown; n = 1 }
    class B extends A { override m() { return this.n; } } out.push(new B().m());`,
  "declared fields":
    "class D { declare x: number; y!: number; z?: string = 'z'; } out.push(Object.keys(new D()).includes('x'), new D().z);",
  "private fields and static blocks":
    "class Q { #a = 1; static s = 0; static { this.s = 7; } get a() { return this.#a; } has(o: object) { return #a in o; } } out.push(new Q().a, Q.s, new Q().has(new Q()));",
  "satisfies, as const and assertions": `const o = { a: 1 } as const satisfies Record<string, number>; const n = <number>o.a; out.push(n, o!.a, (o as any).b);`,
  generics:
    "const id = <T,>(x: T): T => x; class Box<T extends object = {}> { constructor(public v: T) {} } out.push(id<string>('s'), new Box<{ a: 1 }>({ a: 1 }).v.a);",
  overloads:
    "function over(a: string): string; function over(a: number): number; function over(a: unknown) { return a; } out.push(over(3), over('x'));",
  "type predicates and assertion functions":
    "function isS(x: unknown): x is string { return typeof x === 'string'; } function must(x: unknown): asserts x { if (!x) throw new Error(); } must(1); out.push(isS('a'));",
  "a conditional type that infers":
    "type R<T> = T extends (...a: infer A extends unknown[]) => infer B ? [A, B] : never; const r: R<() => 1> = [[], 1]; out.push(r[1]);",
  "template literal types and mapped types":
    "type M = { readonly [P in Uppercase<'ab'>]?: P }; const m: M = { AB: 'AB' }; out.push(m.AB);",
  "accessors and getters":
    "class G { get x(): number { return 1; } set x(v: number) { out.push(v); } } const g = new G(); g.x = 4; out.push(g.x);",
  "arrow functions with types, and comparisons that look like them":
    "const f = async <T,>(x: T): Promise<T> => x; const a = 1, b = 2, c = 3; out.push(a < b, b > c, typeof f);",
  "a regular expression and templates with code-like text":
    "const t = `import x from \"y\"; namespace Z { }`; out.push(/[/]import\\(/.test('/import('), t.length);",
  "labels, exponents and big numbers":
    "let n = 2n ** 3n; outer: for (;;) { for (;;) break outer; } out.push(String(n), 1_000);",
  "decorators of TypeScript": `function add(target: any, key: string) { target[key + "Added"] = 1; }
    class Dec { @add m() {} } out.push((Dec.prototype as any).mAdded);`,
  "this as a type and a parameter":
    "function f(this: { a: number }, b: number): number { return this.a + b; } out.push(f.call({ a: 1 }, 2));",
  "unique symbols and tuples":
    "const s: unique symbol = Symbol('s'); const t: [a: number, b?: string, ...rest: boolean[]] = [1]; out.push(typeof s, t.length);",
  "a using of resources that are only types":
    "type Disposable2 = { [Symbol.dispose]?: () => void }; const d: Disposable2 = {}; out.push(typeof d);",
};

function run(code: string): unknown[] {
  const out: unknown[] = [];
  new Function("out", "exports", "require", "module", code)(out, {}, () => ({}), {});
  return out;
}

it.each(Object.entries(PROGRAMS))(
  "%s does what TypeScript's own compiler makes of it",
  (_, source) => {
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        experimentalDecorators: true,
      },
    });
    const compiled = compile({ source, filename: "a.ts", ts: true, async: false });
    expect(run(compiled)).toEqual(run(outputText));
  },
);

it("JavaScript stays as it is but for its imports and exports", () => {
  const body = `class A { #x = 1; get x() { return this.#x ?? null; } }\nconst t = \`\${1}\`;`;
  const code = compile({ source: `export { A };\n${body}`, filename: "a.js", async: true });
  expect(code).toContain(body);
  const plain = `"use strict";\nmodule.exports = (pi) => pi?.on("x", () => {});`;
  expect(compile({ source: plain, filename: "a.js", async: true })).toBe(plain);
});

it("a module finds itself and what it imports later", async () => {
  const { seen, path, dir } = await load(
    {
      "a.js": `const later = async () => (await import("./b.js")).word;
        const { url, dirname, filename } = import.meta;
        export default async () => { seen.push(url, dirname, filename, import.meta.resolve("./b.js"), await later()); };`,
      "b.js": `import { Type } from "typebox"; export const word = Type.String().type;`,
    },
    { entries: ["a.js"] },
  );
  const url = (name: string) => `file://${path(name)}`;
  expect(seen).toEqual([url("a.js"), dir, path("a.js"), url("b.js"), "string"]);
});

it("compiling a large file is not part of the time an extension has", async () => {
  const many = Array.from(
    { length: 400 },
    (_, i) => `export const f${i} = (x: number) => x?.[${i}] ?? ${i};`,
  );
  const { set } = await load(
    { "a.ts": `${many.join("\n")}\nnamespace N { export const x = 1; }\nexport default () => {};` },
    { loadDeadlineMs: 100 },
  );
  expect(set.problems.map(({ error }) => error.code)).toEqual([]);
});
