export interface ListItem {
  /** Only task items have it. */
  readonly checked?: boolean;
  readonly blocks: readonly Block[];
}

/** One block of a Markdown document. Texts are still unparsed inline Markdown, except code. */
export type Block = { readonly afterBlank: boolean } & (
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly lang: string; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "list";
      /** The number of the first item; undefined for bullets. */
      readonly start: number | undefined;
      readonly items: readonly ListItem[];
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "rule" }
);
