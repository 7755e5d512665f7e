import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plainTheme } from "../theme/theme.ts";
import { BorderedLoader } from "./bordered-loader.ts";
import { CancellableLoader } from "./cancellable-loader.ts";
import { Loader } from "./loader.ts";

const asIs = (text: string) => text;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the indicator turns and asks to be drawn, until the loader is stopped", () => {
  const ui = { requestRender: vi.fn() };
  const loader = new Loader(ui, asIs, asIs, "Working");
  const first = loader.render(20);
  vi.advanceTimersByTime(100);
  expect(loader.render(20)).not.toEqual(first);
  loader.stop();
  const drawn = ui.requestRender.mock.calls.length;
  vi.advanceTimersByTime(1000);
  expect(ui.requestRender).toHaveBeenCalledTimes(drawn);
  expect(vi.getTimerCount()).toBe(0);
});

test("a loader does not keep the process alive", () => {
  vi.useRealTimers();
  const unref = vi.spyOn(Object.getPrototypeOf(setTimeout(() => {}, 0)), "unref");
  const loader = new Loader({ requestRender: () => {} }, asIs, asIs);
  loader.dispose();
  expect(unref).toHaveBeenCalledOnce();
  unref.mockRestore();
});

test("frames can be replaced or left out", () => {
  const loader = new Loader({ requestRender: () => {} }, asIs, asIs, "Hi", { frames: ["*"] });
  expect(loader.render(6)).toEqual(["", " * Hi "]);
  loader.setIndicator({ frames: [] });
  loader.setMessage("Bye");
  expect(loader.render(6)).toEqual(["", " Bye  "]);
  expect(vi.getTimerCount()).toBe(0);
});

test("escape aborts the signal of a cancellable loader", () => {
  const loader = new CancellableLoader({ requestRender: () => {} }, asIs, asIs);
  loader.onAbort = vi.fn();
  loader.handleInput("x");
  expect(loader.aborted).toBe(false);
  loader.handleInput("\u001b");
  expect(loader.signal.aborted).toBe(true);
  expect(loader.onAbort).toHaveBeenCalledOnce();
  loader.dispose();
});

test("a bordered loader shows how to cancel it, and stops when it is disposed of", () => {
  const loader = new BorderedLoader({ requestRender: () => {} }, plainTheme(), "Thinking");
  const lines = loader.render(30);
  expect(lines[0]).toBe("─".repeat(30));
  expect(lines.at(-1)).toBe("─".repeat(30));
  expect(lines.join("\n")).toContain("escape/ctrl+c cancel");
  const aborted = vi.fn();
  loader.onAbort = aborted;
  loader.handleInput("\u001b");
  expect(aborted).toHaveBeenCalledOnce();
  expect(loader.signal.aborted).toBe(true);
  loader.dispose();
  expect(vi.getTimerCount()).toBe(0);
});

test("a bordered loader that must not be cancelled ignores escape", () => {
  const options = { cancellable: false };
  const loader = new BorderedLoader({ requestRender: () => {} }, plainTheme(), "Saving", options);
  loader.handleInput("\u001b");
  expect(loader.signal.aborted).toBe(false);
  expect(loader.render(30).join("\n")).not.toContain("cancel");
  loader.dispose();
});
