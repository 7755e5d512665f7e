import { expect, it } from "vitest";
import { load, stubHost } from "./test-kit/index.ts";

it("goes to the host's log with the extension's name and all parts", async () => {
  const { set, pi } = await load({ "noisy.ts": "export default (pi) => { given.pi = pi; };" });
  const host = stubHost();
  set.bind(host);
  const { logger } = pi();
  logger.debug("one", 2, { three: [3] });
  logger.info("i");
  logger.warn("w");
  logger.error(new Error("e"));
  const logged = host.callsOf("log");
  expect(logged.slice(0, 3)).toEqual([
    ["debug", "noisy: one 2 { three: [ 3 ] }"],
    ["info", "noisy: i"],
    ["warn", "noisy: w"],
  ]);
  expect(logged[3]).toEqual(["error", expect.stringContaining("noisy: Error: e")]);
});

it("every problem is in the host's log, too", async () => {
  const { set, pi } = await load({ "a.ts": "export default (pi) => { given.pi = pi; };" });
  const host = stubHost();
  set.bind(host);
  Reflect.apply(pi().on, undefined, ["turn_strat", () => {}]);
  expect(host.callsOf("log")).toEqual([["warn", expect.stringContaining('"turn_strat"')]]);
});

it("a listener for problems hears of them until it leaves, whatever it does", async () => {
  const { set, pi } = await load({ "a.ts": "export default (pi) => { given.pi = pi; };" });
  const heard: string[] = [];
  set.onProblem(() => {
    throw new Error("listener");
  });
  const leave = set.onProblem(({ error }) => heard.push(error.code));
  const listenWrongly = () => Reflect.apply(pi().on, undefined, ["turn_strat", () => {}]);
  listenWrongly();
  leave();
  listenWrongly();
  expect(heard).toEqual(["SEAM_EVENT_UNKNOWN"]);
  expect(set.problems).toHaveLength(2);
});
