import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

const ECHO = JSON.stringify([{ text: "You said: {input}" }]);

interface Listed {
  readonly id: string;
  readonly firstMessage: string;
  readonly messageCount: number;
}

it("the sessions of a folder are listed, the last one first, and can be taken up again", async () => {
  const at = place({ "echo.json": ECHO, "below/echo.json": ECHO });
  const model = ["--model", "scripted:echo.json"];
  expect((await at.seam("sessions")).stdout).toBe("There are no sessions in this folder yet.\n");
  expect((await at.seam("sessions", "--json")).json()).toEqual([]);
  await at.seam("run", "-p", "first thing", ...model);
  await at.seam("run", "-p", "second thing", ...model);
  await at.seamIn("below")("run", "-p", "elsewhere", ...model);

  const listed = (await at.seam("sessions", "--json")).json<Listed[]>();
  expect(listed.map(({ firstMessage }) => firstMessage)).toEqual(["second thing", "first thing"]);
  const [, first] = listed;
  const { stdout } = await at.seam("sessions");
  expect(stdout).toMatch(new RegExp(`${first?.id}  .*, 2 messages\n  first thing\n`));
  expect((await at.seam("sessions", "-n", "1")).stdout).not.toContain("first thing");
  expect((await at.seam("sessions", "--all")).stdout).toContain("elsewhere");

  const again = await at.seam("run", "-p", "more", "--resume", first?.id ?? "", ...model);
  expect(again.stdout).toBe("You said: more\n");
  const now = (await at.seam("sessions", "--json")).json<Listed[]>();
  expect(now[0]).toMatchObject({ id: first?.id, messageCount: 4 });
});

it("an id that is none names the list", async () => {
  const { stderr } = await place().seam("run", "-p", "x", "--resume", "nosuch");
  expect(stderr).toContain("seam sessions");
});
