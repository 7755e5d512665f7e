/** Things with a moment, in groups of one day each, in the order they came. */
export function byDay<Item extends { readonly at: string }>(
  items: readonly Item[],
): { readonly day: string; readonly items: readonly Item[] }[] {
  const days: { day: string; items: Item[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

function dayOf(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "Without a date";
  return date.toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
}
