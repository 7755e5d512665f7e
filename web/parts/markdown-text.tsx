import { useEffect, useMemo, useRef } from "preact/hooks";
import { withoutAnsi } from "./ansi.ts";
import { Markdown } from "./markdown.ts";

const markdown = new Markdown(window);

/** Longer texts are shown as they are: nobody waits for a page of Markdown that a program printed. */
const LONGEST = 200_000;

/** What a model wrote. */
export function MarkdownText({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const html = useMemo(
    () => (text.length > LONGEST ? undefined : markdown.toHtml(withoutAnsi(text))),
    [text],
  );
  useEffect(() => {
    const blocks = place.current?.querySelectorAll("pre code[class^=language-]") ?? [];
    for (const block of blocks) void colour(block);
  }, [html]);
  if (html === undefined) return <pre class="plain">{text}</pre>;
  // `Markdown` lets nothing through that could run.
  return <div class="prose" ref={place} dangerouslySetInnerHTML={{ __html: html }} />;
}

async function colour(block: Element): Promise<void> {
  const { highlighted } = await import("./highlight.ts");
  const language = block.className.replace("language-", "").toLowerCase();
  const html = highlighted(block.textContent ?? "", language);
  if (html !== undefined) block.innerHTML = html;
}
