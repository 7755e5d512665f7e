import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { turns } from "../history/turns.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { isHeldUp, planRewind } from "./plan.ts";
import { rewind, undoTarget } from "./rewind.ts";
import { findTarget } from "./target.ts";

it.each([
  ["git knows", true],
  ["git does not know", false],
])(
  "a file that %s and that an ignored folder took the place of is recorded as deleted",
  async (_, isTracked) => {
    const shop = await Workshop.open();
    shop.write("data", "a file\n");
    if (isTracked) shop.commit("A file");
    const claude = await new FakeClaude(shop, { isNow: true }).start();
    await claude.prompt("Make it a folder");
    await claude.bash(
      "rm data && mkdir data && echo kept > data/kept.txt && echo '/data/' > .gitignore",
    );
    await claude.stop();
    const record = await shop.record();
    const [turn] = await turns(record.store);
    expect(turn?.files).toEqual([".gitignore", "data"]);
    const target = await findTarget(record.store, turn?.id ?? "");
    const held = await planRewind(record, target);
    expect(held.left).toEqual([{ path: "data", why: "in the way" }]);
    expect(isHeldUp(held)).toBe(true);
    await rewind(record, held);
    expect(readFileSync(join(shop.root, "data/kept.txt"), "utf8")).toBe("kept\n");
    renameSync(join(shop.root, "data"), join(shop.home, "data"));
    const plan = await planRewind(record, target);
    expect(isHeldUp(plan)).toBe(false);
    await rewind(record, plan);
    expect(readFileSync(join(shop.root, "data"), "utf8")).toBe("a file\n");
    await rewind(record, await planRewind(record, await undoTarget(record)));
    expect(existsSync(join(shop.root, "data"))).toBe(false);
  },
);
