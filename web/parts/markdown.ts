import createPurifier, { type DOMPurify, type WindowLike } from "dompurify";
import { Marked, type Tokens } from "marked";

/** What a model may write. Everything else loses its tag and keeps its text. */
const TAGS = [
  ..."a b blockquote br code del details em h1 h2 h3 h4 h5 h6 hr i kbd li ol p pre s".split(" "),
  ..."span strong sub summary sup table tbody td th thead tr ul".split(" "),
];
const ATTRIBUTES = ["href", "title", "class", "align", "start", "open"];
/** The page itself names all classes but these. */
const CLASSES = /^(language-[\w+#-]+|outside-image|task)$/;
const PLAIN_TAG = /&lt;(\/?(?:b|br|del|details|em|i|kbd|s|strong|sub|summary|sup))\s*\/?&gt;/gi;
const LINKS = /^(https?:|mailto:)/i;

const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    // A picture from elsewhere would tell its server who reads what, so it becomes a link.
    image({ href, text }: Tokens.Image): string {
      return `<a class="outside-image" href="${escaped(href)}">${escaped(text || href)}</a>`;
    },
    // HTML is shown as it was written, but for the few tags that people use in Markdown.
    html({ text, block }: Tokens.HTML | Tokens.Tag): string {
      const shown = escaped(text).replace(PLAIN_TAG, "<$1>");
      return block && shown.startsWith("&lt;") ? `<p>${shown}</p>` : shown;
    },
    checkbox({ checked }: Tokens.Checkbox): string {
      return `<span class="task">${checked ? "✓" : "◌"}</span> `;
    },
  },
});

/** Markdown to HTML that is safe to show, whoever wrote it. */
export class Markdown {
  readonly #purifier: DOMPurify;

  constructor(window: WindowLike) {
    this.#purifier = createPurifier(window);
    this.#purifier.addHook("uponSanitizeAttribute", (_, data) => {
      if (data.attrName === "class") {
        const kept = data.attrValue.split(/\s+/).filter((name) => CLASSES.test(name));
        data.attrValue = kept.join(" ");
        data.keepAttr = kept.length > 0;
      }
      if (data.attrName === "href") data.keepAttr = LINKS.test(data.attrValue);
    });
    this.#purifier.addHook("afterSanitizeAttributes", (node) => {
      if (node.nodeName !== "A") return;
      node.setAttribute("target", "_blank");
      node.setAttribute("rel", "noopener noreferrer");
    });
  }

  toHtml(text: string): string {
    return this.cleaned(marked.parse(text, { async: false }));
  }

  /** The second net: whatever comes out of Markdown loses everything that is not known to be safe. */
  cleaned(html: string): string {
    return this.#purifier.sanitize(html, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
    });
  }
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
