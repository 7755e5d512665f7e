import { describe, expect, it, vi } from "vitest";
import { never } from "../test-kit/returns.ts";
import { Cuts, onItsOwn } from "./cuts.ts";

const ERROR = new Error("taken away");
const settledYet = async (promise: Promise<unknown>) => {
  const tick = new Promise((resolve) => setTimeout(resolve, 20, "not yet"));
  return Promise.race([promise.then(String, String), tick]);
};

describe("work that is done apart", () => {
  it("begins after everything that was waiting, and comes to what it comes to", async () => {
    const cuts = new Cuts(() => true);
    const order: string[] = [];
    const done = cuts.apart(() => {
      order.push("apart");
      return 1;
    });
    void Promise.resolve()
      .then(() => {})
      .then(() => order.push("waiting"));
    expect(await done).toBe(1);
    expect(order).toEqual(["waiting", "apart"]);
    await expect(cuts.apart(() => Promise.reject(new Error("own")))).rejects.toThrow("own");
    const throws = () => {
      throw new Error("thrown");
    };
    await expect(cuts.apart(throws)).rejects.toThrow("thrown");
  });

  it("is not waited for once the thread was taken away, begun or not", async () => {
    const cuts = new Cuts(() => true);
    const begun = cuts.apart(() => never());
    await new Promise((resolve) => setTimeout(resolve, 5));
    const work = vi.fn();
    const waiting = cuts.apart(work);
    cuts.raise(ERROR);
    await expect(begun).rejects.toBe(ERROR);
    await expect(waiting).rejects.toBe(ERROR);
    await new Promise((resolve) => onItsOwn(() => resolve(undefined)));
    expect(work).not.toHaveBeenCalled();
    expect(cuts.isCut(ERROR)).toBe(true);
    expect(cuts.isCut(new Error("another"))).toBe(false);
  });

  it("may come to its own end if it can be told to", async () => {
    const cuts = new Cuts(() => true);
    const controller = new AbortController();
    const ends = cuts.apart(
      () => new Promise((resolve) => controller.signal.addEventListener("abort", () => resolve(2))),
      () => controller.abort(),
    );
    const told = vi.fn();
    const doesNot = cuts.apart(() => never(), told);
    await new Promise((resolve) => setTimeout(resolve, 5));
    cuts.raise(ERROR);
    expect(await ends).toBe(2);
    expect(told).toHaveBeenCalledWith(ERROR);
    expect(await settledYet(doesNot)).toBe("not yet");
    await expect(doesNot).rejects.toBe(ERROR);
  });

  it("is simply done where nothing can get stuck", async () => {
    const cuts = new Cuts(() => false);
    const order: string[] = [];
    const done = cuts.apart(() => void order.push("done"));
    order.push("after the call");
    await done;
    expect(order).toEqual(["done", "after the call"]);
  });
});

it("a step that was cut off comes to what was given; other failures stay failures", async () => {
  const cuts = new Cuts(() => true);
  const step = cuts.step(() => never<string>(), "nobody said anything");
  await new Promise((resolve) => setTimeout(resolve, 5));
  cuts.raise(ERROR);
  expect(await step).toBe("nobody said anything");
  await expect(cuts.step(() => Promise.reject(new Error("own")), 1)).rejects.toThrow("own");
});
