import { expect, it } from "vitest";
import { discover, extension, FAILURES, setUp } from "./test-kit.ts";

it("all answers are kept, in order, with their origin", async () => {
  const { dispatcher } = setUp();
  const a = extension("a");
  dispatcher.on(a, "resources_discover", async () => ({ skillPaths: ["/a"] }));
  dispatcher.on(extension("silent"), "resources_discover", () => undefined);
  dispatcher.on(extension("b"), "resources_discover", () => ({ promptPaths: ["/b"] }));
  dispatcher.on(a, "resources_discover", () => ({ themePaths: ["/c"] }));
  expect(await dispatcher.emit(discover())).toEqual({
    aborted: false,
    results: [
      { by: "a", result: { skillPaths: ["/a"] } },
      { by: "a", result: { themePaths: ["/c"] } },
      { by: "b", result: { promptPaths: ["/b"] } },
    ],
  });
});

it.each(FAILURES)("one that $how is reported, the others are kept", async ({ run, code }) => {
  const { dispatcher, problems } = setUp();
  const broken = extension("broken");
  dispatcher.on(extension("a"), "resources_discover", () => ({ skillPaths: ["/a"] }));
  dispatcher.on(broken, "resources_discover", run, { deadlineMs: 20 });
  dispatcher.on(extension("b"), "resources_discover", () => ({ skillPaths: ["/b"] }));
  const { results } = await dispatcher.emit(discover());
  expect(results.map(({ by }) => by)).toEqual(["a", "b"]);
  expect(problems).toMatchObject([{ error: { code }, owner: broken }]);
});

it("an answer of the wrong shape is left out and reported", async () => {
  const { dispatcher, codes } = setUp();
  dispatcher.on(extension("odd"), "resources_discover", () => ({ skillPaths: "/a" }));
  expect((await dispatcher.emit(discover())).results).toEqual([]);
  expect(codes()).toEqual(["SEAM_HANDLER_RESULT"]);
});
