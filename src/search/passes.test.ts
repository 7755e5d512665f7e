import { expect, it } from "vitest";
import { Passes } from "./passes.ts";

/** Passes that end when the test says so. */
function passes() {
  const begun: string[] = [];
  const ends: { end: () => void; fail: (error: Error) => void }[] = [];
  const made = new Passes((kind) => {
    begun.push(kind);
    return new Promise((end, fail) => ends.push({ end, fail }));
  });
  return { passes: made, begun, ends };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("all who ask during a pass share the one after it", async () => {
  const { passes: made, begun, ends } = passes();
  const first = made.through(made.next);
  const later = [made.through(made.next), made.through(made.next)];
  expect(begun).toEqual(["pass"]);
  ends[0]?.end();
  await first;
  await turn();
  expect(begun).toEqual(["pass", "pass"]);
  ends[1]?.end();
  await Promise.all(later);
  expect(made.isUnderWay).toBe(false);
});

it("a pass that fails fails those who wait for it, and not those who wait for the next", async () => {
  const { passes: made, begun, ends } = passes();
  const first = made.through(made.next);
  const later = made.through(made.next);
  ends[0]?.fail(new Error("full"));
  await expect(first).rejects.toThrow("full");
  await turn();
  ends[1]?.end();
  await later;
  expect(begun).toHaveLength(2);
});

it("a rebuild that was asked for meanwhile is as good as another pass", async () => {
  const { passes: made, begun, ends } = passes();
  void made.through(made.next);
  const later = made.through(made.next);
  const rebuilt = made.begin("rebuild");
  for (const { end } of ends) end();
  await Promise.all([later, rebuilt.done]);
  expect(begun).toEqual(["pass", "rebuild"]);
});

it("after its end no pass begins, and whoever waits for one is told so", async () => {
  const { passes: made, begun, ends } = passes();
  const first = made.through(made.next);
  const later = made.through(made.next);
  made.close();
  ends[0]?.end();
  await first;
  await expect(later).rejects.toMatchObject({ code: "SEAM_SEARCH_ENDED" });
  expect(begun).toEqual(["pass"]);
});
