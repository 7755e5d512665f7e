import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { newFolder } from "./test-kit/project.ts";
import { Workshop } from "./test-kit/workshop.ts";

it("a turn names the files that its tools wrote in other repositories, and the next one does not", async () => {
  const shop = await Workshop.open();
  const sibling = newFolder();
  shop.in(sibling, "init", "-q");
  mkdirSync(join(shop.root, "inner"));
  shop.in(join(shop.root, "inner"), "init", "-q");
  const claude = await new FakeClaude(shop).start();
  const elsewhere = [join(sibling, "b.ts"), join(shop.root, "inner/c.ts")];
  await claude.turn("Write everywhere", async () => {
    await claude.write("a.ts", "export const a = 1;\n");
    for (const path of [...elsewhere, ...elsewhere]) await claude.write(path, "somewhere else\n");
  });
  await claude.turn("Only here", () => claude.write("a.ts", "export const a = 2;\n"));
  const [last, first] = await turns((await shop.record()).store);
  expect(first).toMatchObject({ files: ["a.ts"], elsewhere });
  expect(last).toMatchObject({ files: ["a.ts"] });
  expect(last).not.toHaveProperty("elsewhere");
});
