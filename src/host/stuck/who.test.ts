import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runAs, running } from "../../dispatch/index.ts";
import { loadExtensions } from "../../extensions/index.ts";
import { NOT_IN_AN_EVENT } from "./protocol.ts";
import { covers } from "./stop.ts";
import { who } from "./who.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-who-")));
const file = (name: string) => join(folder, name);
const slotOf = (name: string, what: string) =>
  runAs({ name, path: file(name) }, what, () => running[0] ?? 0);

async function loaded() {
  for (const name of ["a.ts", "b.ts"]) writeFileSync(file(name), "export default () => {};");
  const handler = () => void "looked for";
  const set = await loadExtensions({
    cwd: folder,
    sources: [
      file("a.ts"),
      file("b.ts"),
      { name: "inline", factory: (pi) => void pi.on("turn_start", handler) },
    ],
  });
  onTestFinished(() => set.dispose());
  return { set, handler };
}

const OWN = { file: "/seam/host.js", line: 1 };

it("what Seam called and did not come back from is known for sure", async () => {
  const { set } = await loaded();
  const steady = slotOf("a.ts", "tool_call");
  const frames = [OWN, { file: file("a.ts"), line: 7 }, { file: file("b.ts"), line: 1 }];
  const where = { file: file("a.ts"), line: 7 };
  const verdict = { path: file("a.ts"), what: "tool_call", where };
  expect(who({ steady, now: 0, frames }, [set])).toEqual({ verdict });
});

it("after that it is the outermost file: one that calls others in a loop is the one", async () => {
  const { set } = await loaded();
  const now = slotOf("b.ts", "turn_start");
  const frames = [{ file: file("b.ts"), line: 1 }, OWN, { file: file("a.ts"), line: 9 }];
  const where = { file: file("a.ts"), line: 9 };
  const verdict = { path: file("a.ts"), what: NOT_IN_AN_EVENT, where };
  expect(who({ steady: 0, now, frames }, [set])).toEqual({ verdict });
  expect(who({ steady: 0, now, frames: [OWN] }, [set])).toEqual({
    verdict: { path: file("b.ts"), what: "turn_start" },
  });
});

it("nobody is blamed for code that is not an extension's", async () => {
  const { set, handler } = await loaded();
  const { verdict, suspects } = who({ steady: 0, now: 0, frames: [OWN] }, [set]);
  expect(verdict).toBeUndefined();
  // Only a comparison with these can tell.
  const inline = suspects?.find(({ path }) => path === "<inline>");
  expect(inline?.code).toContain(String(handler));
  set.dispose();
  const later = who({ steady: 0, now: 0, frames: [{ file: file("a.ts"), line: 1 }] }, []);
  expect(later.verdict).toBeUndefined();
});

it("code covers a place in a source if it stands around it", () => {
  const source = "const a = () => { x(); };\nconst b = () => { y(); };\nconst c = () => { y(); };";
  const text = "() => { y(); }";
  expect(covers(source, text, source.indexOf("y()"))).toBe(true);
  expect(covers(source, text, source.lastIndexOf("y()"))).toBe(true);
  expect(covers(source, text, source.indexOf("x()"))).toBe(false);
  expect(covers(source, text, source.indexOf("const c"))).toBe(false);
  expect(covers(source, "", 0)).toBe(false);
  expect(covers(source, "not there", 5)).toBe(false);
});
