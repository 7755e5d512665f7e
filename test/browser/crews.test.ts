import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { GOAL, roleFile, SCRIPTS, WORKFLOW } from "../../src/cli/crew/demo-script.ts";
import { environment } from "../setup/environment.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
let run = "";

beforeAll(async () => {
  await scene.start();
  const { home, project } = scene.place;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  // Here a person is asked about the plan.
  write(
    join(home, "crew/workflows/demo.workflow.md"),
    WORKFLOW.replace("approvePlan: false\n", ""),
  );
  for (const [name, turns] of Object.entries(SCRIPTS)) {
    const script = join(home, `${name}.json`);
    write(script, JSON.stringify(turns));
    write(join(home, `crew/agents/${name}.md`), roleFile(name, script));
  }
  write(join(project, "greetings.txt"), "");
  const started = await scene.place.seam("crew", "run", "demo", GOAL, "--detach", "--json");
  run = started.json<{ run: { id: string } }>().run.id;
});
afterEach(() => scene.closePages());
afterAll(() => scene.stop());

async function violations(page: Page): Promise<unknown> {
  return page.evaluate(
    `${axe.source}; axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")))`,
  );
}

/** Pictures for whoever looks at them: SEAM_PICTURES names the folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = environment.SEAM_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

it("a plan is approved on the board, and the tasks it brings are drawn, work and are merged", async () => {
  const waiting = async () => {
    const listed = await scene.place.seam("inbox", "--json");
    return listed.json<{ questions: unknown[] }>().questions.length;
  };
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
  const { page, troubles } = await scene.open({});
  const asked = page.getByRole("region", { name: /Waiting for you/ });
  // It is no session that asks: from Now the question leads to the board.
  const link = asked.getByRole("link", { name: /^Crew/ });
  const line = page.getByRole("button", { name: /Crew/ });
  await link.or(line).first().click();
  await page.getByRole("button", { name: /plan/ }).first().waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByRole("main").getByText(GOAL).first().click();
  await page.getByRole("button", { name: /plan/ }).first().waitFor();
  await picture(page, "crew-waits");
  await page.waitForTimeout(500);
  await page.keyboard.press("y");
  const french = page.getByRole("button", { name: /Greet in French/ });
  await french.waitFor({ timeout: 60_000 });
  await page.getByText(`seam crew land ${run}`).waitFor({ timeout: 90_000 });
  // What is drawn is there to be seen, with room for its words.
  expect((await french.boundingBox())?.height).toBeGreaterThan(40);
  await french.click();
  const panel = page.getByRole("region", { name: "Task french" });
  await panel.getByText("What Seam checked").waitFor();
  expect(await panel.getByText("✗", { exact: false }).count()).toBeGreaterThan(0);
  await panel.getByText("french.sh").first().waitFor();
  await page.reload();
  await panel.waitFor();
  expect(troubles).toEqual([]);
});

it.each(["light", "dark"] as const)("the board is without a barrier, %s", async (scheme) => {
  const { page, troubles } = await scene.open({ scheme, path: `crews?run=${run}&task=french` });
  await page.getByRole("region", { name: "Task french" }).waitFor();
  await page.getByText("Changes").first().waitFor();
  // The board asks every two seconds: what is only half there when it is looked at comes to rest.
  await expect.poll(() => violations(page), { timeout: 20_000 }).toEqual([]);
  await picture(page, `crew-${scheme}`);
  expect(troubles).toEqual([]);
});

it("the board and the list fit on a phone", async () => {
  for (const path of [`crews?run=${run}&task=french`, "crews"]) {
    const { page } = await scene.open({ width: 390, path });
    await page.getByRole("main").getByText(GOAL).first().waitFor();
    const wide = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(wide).toBe(0);
    await expect.poll(() => violations(page), { timeout: 20_000 }).toEqual([]);
    await picture(page, path === "crews" ? "crews-narrow" : "crew-narrow");
  }
});
