import { signal } from "@preact/signals";

/** The time, in steps of a second, while somebody can see it. */
export const clock = signal(Date.now());

setInterval(() => {
  if (!document.hidden) clock.value = Date.now();
}, 1_000);
document.addEventListener("visibilitychange", () => {
  clock.value = Date.now();
});
