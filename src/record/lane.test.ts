import { describe, expect, it } from "vitest";
import { Lane } from "./lane.ts";

/** Something that takes until it is told to end. */
function long() {
  let end = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { until, end };
}

const noPatience = 0;
const muchPatience = 2 ** 30;

describe("a lane", () => {
  it("does one thing after the other", async () => {
    const lane = new Lane();
    const order: string[] = [];
    const first = long();
    const both = [
      lane.run(async () => {
        await first.until;
        order.push("first");
      }),
      lane.hurry(async () => void order.push("second"), noPatience),
    ];
    first.end();
    await Promise.all([...both, lane.settled]);
    expect(order).toEqual(["first", "second"]);
    expect(lane.isEmpty).toBe(true);
  });

  it("lets in what git waits for while something long stands aside, and goes on after it", async () => {
    const lane = new Lane();
    const order: string[] = [];
    const storing = long();
    const asked = long();
    const first = lane.run(async () => {
      await lane.aside(["a"], () => storing.until);
      order.push("stored");
    });
    const answered = lane.hurry(async () => {
      expect([lane.isAside("a"), lane.isAside("b")]).toEqual([true, false]);
      await asked.until;
      order.push("answered");
    });
    storing.end();
    await storing.until;
    asked.end();
    await Promise.all([first, answered]);
    expect(order).toEqual(["answered", "stored"]);
    expect(lane.isAside("a")).toBe(false);
  });

  it("answers before what stands aside is done", async () => {
    const lane = new Lane();
    const storing = long();
    const first = lane.run(() => lane.aside([], () => storing.until));
    await lane.hurry(async () => {});
    storing.end();
    await first;
  });

  it.each([
    ["waits for others that came before it", muchPatience, ["other", "answered"]],
    ["waits for them no longer than it can", noPatience, ["answered", "other"]],
  ])("what git waits for %s", async (_, patience, expected) => {
    const lane = new Lane();
    const order: string[] = [];
    const storing = long();
    const all = [
      lane.run(() => lane.aside([], () => storing.until)),
      lane.run(async () => void order.push("other")),
      lane.hurry(async () => void order.push("answered"), patience),
    ];
    if (patience === noPatience) await all[2];
    storing.end();
    await Promise.all(all);
    expect(order).toEqual(expected);
  });

  it("goes on after something that failed while it stood aside", async () => {
    const lane = new Lane();
    const failed = lane.run(() =>
      lane
        .aside(["a"], () => Promise.reject(new Error("no")))
        .catch((error: unknown) => expect(String(error)).toContain("no")),
    );
    await failed;
    await lane.run(async () => expect(lane.isAside("a")).toBe(false));
  });
});
