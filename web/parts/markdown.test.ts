import fc from "fast-check";
import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown.ts";

const { window } = new JSDOM("");
const markdown = new Markdown(window);
const shown = (text: string) => markdown.toHtml(text).trim();

/** Everything in a text that could run or fetch something, as a browser would read it. */
function dangers(html: string): string[] {
  const { body } = new window.DOMParser().parseFromString(html, "text/html");
  return [...body.querySelectorAll("*")].flatMap((element) => {
    const name = element.nodeName.toLowerCase();
    const bad =
      /^(script|style|iframe|object|embed|form|input|button|img|svg|math|video|link|base|meta)$/;
    const attributes = element.getAttributeNames().filter((attribute) => {
      if (/^on|^(style|src|srcset|id|name|action|formaction|xlink:href)$/.test(attribute))
        return true;
      return attribute === "href" && !/^(https?|mailto):/i.test(element.getAttribute("href") ?? "");
    });
    return [...(bad.test(name) ? [name] : []), ...attributes.map((one) => `${name} ${one}`)];
  });
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](JaVa\tScript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:x)",
  "![x](https://evil.example/track.gif)",
  '![x" onerror="alert(1)](x" onload="y)',
  "<a href='jav&#x09;ascript:alert(1)'>x</a>",
  "<svg><script>alert(1)</script></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe srcdoc='<script>x</script>'></iframe>",
  "<form action=/api/answer method=post><button>Allow</button></form>",
  "<style>body{display:none}</style>",
  "<div style='position:fixed;inset:0' id=main class='question'>fake</div>",
  "<details open ontoggle=alert(1)>x</details>",
  "<base href=https://evil.example/>",
  '```"><script>x\n</script>\n```',
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
];

it("knows what is dangerous", () => {
  expect(dangers('<img src="x" onerror="y"><a href="javascript:x">z</a>')).toEqual([
    "img",
    "img src",
    "img onerror",
    "a href",
  ]);
});

describe("Markdown", () => {
  it("shows headings, lists, tables, code and links", () => {
    const html = shown(
      "# A\n\n- [x] b\n\n| c |\n|-|\n| d |\n\n```ts\nlet e;\n```\n\n[f](https://g.example)",
    );
    expect(html).toContain("<h1>A</h1>");
    expect(html).toContain('<span class="task">✓</span>');
    expect(html).toContain("<td>d</td>");
    expect(html).toContain('<code class="language-ts">let e;');
    expect(html).toContain('href="https://g.example"');
    expect(html).toContain('rel="noopener noreferrer"');
  });

  it.each(HOSTILE)("lets nothing run or be fetched: %s", (text) => {
    expect(dangers(shown(text))).toEqual([]);
  });

  it.each(HOSTILE)("would not let it through as HTML either: %s", (html) => {
    expect(dangers(markdown.cleaned(html))).toEqual([]);
  });

  it("shows HTML as it was written, but for tags that people use in Markdown", () => {
    expect(shown("<blink>words</blink>")).toContain("&lt;blink&gt;words&lt;/blink&gt;");
    expect(shown("press <kbd>y</kbd><br>now")).toContain("press <kbd>y</kbd><br>now");
    expect(shown("<kbd onclick=alert(1)>y")).toContain("&lt;kbd onclick");
  });

  it("keeps the words of a picture it does not show", () => {
    expect(shown("![a cat](https://x.example/cat.png)")).toContain(">a cat</a>");
  });

  it("does not let a text pretend to be a part of the page", () => {
    expect(markdown.cleaned('<p class="question language-ts" id="app">x</p>')).toBe(
      '<p class="language-ts">x</p>',
    );
    expect(shown("<p class=question>x</p>")).not.toContain("<p class=");
  });

  it("lets nothing through in any mixture of hostile pieces", () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string(),
      fc.constantFrom("\n", "`", ">", "|"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect(dangers(shown(pieces.join("")))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

it("HTML that is shown as it was written is a paragraph like any other", () => {
  expect(shown("a\n\n<script>x</script>")).toBe("<p>a</p>\n<p>&lt;script&gt;x&lt;/script&gt;</p>");
  expect(shown("<details><summary>more</summary></details>")).toBe(
    "<details><summary>more</summary></details>",
  );
});
