import { expect, it } from "vitest";
import { ExtensionUse } from "./extension-use.ts";
import { runHook, testDaemon, testPlace, until } from "./test-kit/setup.ts";

const GATE = `export default (pi) => {
  pi.on("tool_call", (e) => {
    if (e.input.command === "boom") throw new Error("boom");
    return e.input.command === "rm" && { block: true, reason: "no" };
  });
};`;

it("calls, errors, time and stops of every extension are counted, also over a restart", async () => {
  const place = testPlace();
  place.write({ "extensions/gate.ts": GATE });
  const call = (command: string) =>
    runHook(place, "before", {
      session: "s1",
      cwd: place.project,
      tool: "bash",
      input: { command },
    });
  const daemon = await testDaemon(place);
  for (const command of ["ls", "rm", "boom"]) await call(command);
  const counted = () => new ExtensionUse(place.run).counted().extensions.gate;
  await daemon.stop();
  // A handler that throws stops the call, too.
  expect(counted()).toMatchObject({ calls: 3, errors: 1, stops: 2 });
  expect(counted()?.ms).toBeGreaterThan(0);
  const next = await testDaemon(place);
  await call("ls");
  await next.stop();
  await until(() => counted()?.calls === 4);
  expect(counted()).toMatchObject({ errors: 1, stops: 2 });
});
