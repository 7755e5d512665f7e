import { ESC } from "../text/escapes.ts";

const START = `${ESC}[200~`;
const END = `${ESC}[201~`;

type Arrived =
  | { readonly kind: "keys"; readonly data: string }
  | { readonly kind: "paste"; readonly text: string };

/** Tells pasted text from typed keys. A paste may arrive in several parts. */
export class PasteReader {
  #pasted: string | undefined;

  read(data: string): Arrived[] {
    const arrived: Arrived[] = [];
    let rest = data;
    while (rest !== "") {
      if (this.#pasted === undefined) {
        const start = rest.indexOf(START);
        const keys = start === -1 ? rest : rest.slice(0, start);
        if (keys !== "") arrived.push({ kind: "keys", data: keys });
        if (start === -1) return arrived;
        this.#pasted = "";
        rest = rest.slice(start + START.length);
      }
      // The end may itself be cut in two, so it is looked for in all that has arrived.
      const text: string = this.#pasted + rest;
      const end = text.indexOf(END);
      this.#pasted = end === -1 ? text : undefined;
      if (end === -1) return arrived;
      arrived.push({ kind: "paste", text: text.slice(0, end) });
      rest = text.slice(end + END.length);
    }
    return arrived;
  }
}
