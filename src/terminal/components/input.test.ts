import { expect, test, vi } from "vitest";
import { CURSOR_MARKER } from "../component.ts";
import { Input } from "./input.ts";

function typed(...keys: string[]): Input {
  const input = new Input();
  for (const key of keys) input.handleInput(key);
  return input;
}

test("text is typed, deleted, cut and put back", () => {
  expect(typed("a", "b", "\u007f", "c").getValue()).toBe("ac");
  expect(typed("one two", "\u0017", "\u0001", "\u0019").getValue()).toBe("twoone ");
  expect(typed("one", " ", "two", "\u001f").getValue()).toBe("one");
});

test("the cursor moves over whole characters", () => {
  expect(typed("a👩‍👩‍👧b", "\u001b[D", "\u001b[D", "x").getValue()).toBe("ax👩‍👩‍👧b");
});

test("a paste stays on one line, also if it arrives in parts", () => {
  expect(typed("\u001b[200~a\r\nb", "c\u001b[2", "01~d").getValue()).toBe("abcd");
});

test("enter submits and escape leaves", () => {
  const input = new Input();
  input.onSubmit = vi.fn();
  input.onEscape = vi.fn();
  input.setValue("hi\nthere");
  input.handleInput("\r");
  input.handleInput("\u001b");
  expect(input.onSubmit).toHaveBeenCalledWith("hithere");
  expect(input.onEscape).toHaveBeenCalledOnce();
});

test("the cursor is shown, and marked for the terminal while the input has the focus", () => {
  const input = typed("ab", "\u001b[D");
  expect(input.render(8)).toEqual(["> a\u001b[7mb\u001b[27m    "]);
  input.focused = true;
  expect(input.render(8)[0]).toContain(`a${CURSOR_MARKER}`);
});

test("long text scrolls with the cursor", () => {
  const input = typed("abcdefghijklmnop");
  expect(input.render(8)).toEqual(["> lmnop\u001b[7m \u001b[27m"]);
  input.handleInput("\u0001");
  expect(input.render(8)).toEqual(["> \u001b[7ma\u001b[27mbcdef"]);
});
