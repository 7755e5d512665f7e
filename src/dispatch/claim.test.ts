import { expect, it } from "vitest";
import { extension, FAILURES, setUp, userBash } from "./test-kit.ts";

const answer = (output: string) => ({
  result: { output, exitCode: 0, cancelled: false, truncated: false },
});

it("the first answer wins and nobody else is asked", async () => {
  const { dispatcher } = setUp();
  const seen: string[] = [];
  dispatcher.on(extension("silent"), "user_bash", async () => void seen.push("silent"));
  dispatcher.on(extension("ssh"), "user_bash", async () => answer("remote"));
  dispatcher.on(extension("docker"), "user_bash", () => {
    seen.push("docker");
    return answer("container");
  });
  const decision = await dispatcher.emit(userBash());
  expect(decision).toEqual({ by: "ssh", result: answer("remote"), aborted: false });
  expect(seen).toEqual(["silent"]);
});

it("functions in an answer come back as they are", async () => {
  const { dispatcher } = setUp();
  const exec = async () => ({ exitCode: 0 });
  dispatcher.on(extension("ssh"), "user_bash", () => ({ operations: { exec } }));
  expect((await dispatcher.emit(userBash())).result?.operations?.exec).toBe(exec);
});

it.each(FAILURES)("one that $how is reported and passed over", async ({ run, code }) => {
  const { dispatcher, problems } = setUp();
  const broken = extension("broken");
  dispatcher.on(broken, "user_bash", run, { deadlineMs: 20 });
  dispatcher.on(extension("ssh"), "user_bash", () => answer("remote"));
  expect(await dispatcher.emit(userBash())).toMatchObject({ by: "ssh" });
  expect(problems).toMatchObject([{ error: { code }, owner: broken, event: "user_bash" }]);
});

it("an answer of the wrong shape is no claim", async () => {
  const { dispatcher, codes } = setUp();
  dispatcher.on(extension("odd"), "user_bash", () => ({ result: { output: 5 } }));
  expect(await dispatcher.emit(userBash())).toEqual({ aborted: false });
  expect(codes()).toEqual(["SEAM_HANDLER_RESULT"]);
});

it("without an answer there is no winner", async () => {
  const { dispatcher } = setUp();
  dispatcher.on(extension("silent"), "user_bash", () => undefined);
  expect(await dispatcher.emit(userBash())).toEqual({ aborted: false });
});
