import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Goal, SessionEntry } from "../../../events/index.ts";
import {
  addUsage,
  completeGoal,
  dropGoal,
  goalPrompt,
  newGoal,
  pauseGoal,
  restoreGoal,
  resumeGoal,
} from "./goal.ts";

const goal = newGoal(" Ship it ", { tokenBudget: 100, id: "g", now: 1 });

describe("a goal", () => {
  it("starts active and unused", () => {
    expect(goal).toEqual({
      id: "g",
      objective: "Ship it",
      status: "active",
      tokenBudget: 100,
      tokensUsed: 0,
      timeUsedSeconds: 0,
      createdAt: 1,
      updatedAt: 1,
    });
    expect(newGoal("x")).not.toHaveProperty("tokenBudget");
    expect(() => newGoal("  ")).toThrow("needs an objective");
    expect(() => newGoal("x", { tokenBudget: 0 })).toThrow("more than 0");
  });

  it("is limited when its budget is used up, and goes on with a larger one", () => {
    const used = addUsage(addUsage(goal, 60, 5, 2), 40, 5, 3);
    expect(used).toMatchObject({ status: "budget-limited", tokensUsed: 100, timeUsedSeconds: 10 });
    expect(() => resumeGoal(used)).toThrow("used up");
    expect(() => resumeGoal(used, { tokenBudget: 100 })).toThrow("used up");
    const resumed = resumeGoal(used, { tokenBudget: 200, now: 4 });
    expect(resumed).toMatchObject({ status: "active", tokenBudget: 200, updatedAt: 4 });
  });

  it("counts nothing while it is paused or over", () => {
    for (const still of [pauseGoal(goal), completeGoal(goal), dropGoal(goal)]) {
      expect(addUsage(still, 50, 50)).toBe(still);
    }
  });

  it("that is over stays so, and says what was tried", () => {
    for (const over of [completeGoal(goal), dropGoal(goal)]) {
      for (const act of [pauseGoal, resumeGoal, completeGoal, dropGoal]) {
        expect(() => act(over)).toThrow(`A goal that is ${over.status} cannot become`);
      }
    }
    expect(() => pauseGoal(pauseGoal(goal))).toThrow("paused cannot become paused");
    expect(() => resumeGoal(goal)).toThrow("active cannot become active");
  });

  it("never has fewer tokens used, and is limited exactly when they are as many as its budget", () => {
    const act = fc.oneof(
      fc.integer({ min: -5, max: 60 }).map((tokens) => (one: Goal) => addUsage(one, tokens, 1)),
      fc.constantFrom(pauseGoal, (one: Goal) => resumeGoal(one)),
      fc
        .integer({ min: 1, max: 300 })
        .map((tokenBudget) => (one: Goal) => resumeGoal(one, { tokenBudget })),
    );
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        let now = goal;
        for (const next of acts) {
          const before = now;
          try {
            now = next(now);
          } catch {
            expect(now).toBe(before);
          }
          expect(now.tokensUsed).toBeGreaterThanOrEqual(before.tokensUsed);
          const isUsedUp = now.tokensUsed >= (now.tokenBudget ?? Number.POSITIVE_INFINITY);
          expect(now.status === "budget-limited").toBe(isUsedUp);
        }
      }),
    );
  });
});

describe("what the model is told of a goal", () => {
  it("is the goal and what is left while it is active, and to come to an end when nothing is", () => {
    expect(goalPrompt(addUsage(goal, 30, 1))).toContain("70 of 100 tokens");
    expect(goalPrompt(newGoal("Ship it"))).not.toContain("tokens are left");
    expect(goalPrompt(addUsage(goal, 130, 1))).toContain("Begin nothing new");
  });

  it("is nothing while nobody works on it", () => {
    for (const still of [pauseGoal(goal), completeGoal(goal), dropGoal(goal)]) {
      expect(goalPrompt(still)).toBeUndefined();
    }
  });
});

describe("the goal of a session", () => {
  const kept = (data: unknown, customType = "goal"): SessionEntry => ({
    type: "custom",
    customType,
    data,
    id: "e",
    parentId: null,
    timestamp: "2026-01-01T00:00:00Z",
  });

  it("is the last one that was kept on the branch, until it was cleared", () => {
    const later = addUsage(goal, 5, 1);
    expect(restoreGoal([])).toBeUndefined();
    expect(restoreGoal([kept(goal), kept(later), kept({}, "other")])).toEqual(later);
    expect(restoreGoal([kept(goal), kept(null)])).toBeUndefined();
  });

  it("is not something else of the same name", () => {
    for (const data of [undefined, "Ship it", { ...goal, status: "won" }, { id: "g" }]) {
      expect(restoreGoal([kept(goal), kept(data)])).toEqual(goal);
    }
  });
});
