import { expect, test } from "vitest";
import { plainTheme } from "../../terminal/index.ts";
import { Guarded } from "./guarded.ts";

function guarded(render: (width: number) => string[], maxLines = 5) {
  const errors: string[] = [];
  const guard = new Guarded(
    { render, invalidate() {} },
    {
      what: "The widget of demo",
      theme: plainTheme(),
      maxLines: () => maxLines,
      onError: (text) => errors.push(text),
    },
  );
  return { guard, errors };
}

test("an error while drawing is shown in its place, once", () => {
  const { guard, errors } = guarded(() => {
    throw new Error("no such thing");
  });
  const text = "The widget of demo failed when it was drawn: no such thing";
  expect(guard.render(80)).toEqual([`✗ ${text}`]);
  expect(guard.render(80)).toEqual([`✗ ${text}`]);
  expect(errors).toEqual([text]);
});

test("what is too much is cut, and says so", () => {
  const { guard } = guarded(() => Array.from({ length: 50 }, (_, at) => `line ${at}`), 3);
  expect(guard.render(80)).toEqual(["line 0", "line 1", "… 48 more lines have no room here"]);
});

test("a component that is slow is not drawn with every frame", () => {
  let drawn = 0;
  const { guard } = guarded(() => {
    drawn++;
    const until = performance.now() + 20;
    while (performance.now() < until);
    return ["slow"];
  });
  for (let frame = 0; frame < 5; frame++) expect(guard.render(80)).toEqual(["slow"]);
  expect(drawn).toBe(1);
});
