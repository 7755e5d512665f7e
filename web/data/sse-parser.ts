/** One message of a stream of server-sent events. */
export interface SseMessage {
  readonly data: string;
  readonly id?: string;
}

/** Takes the text of a stream in any pieces and gives its messages, as the standard reads them. */
export class SseParser {
  #rest = "";
  #data: string[] = [];
  #id: string | undefined;

  take(text: string): SseMessage[] {
    const messages: SseMessage[] = [];
    this.#rest += text;
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") this.#end(messages);
      else this.#field(line);
    }
    return messages;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }

  #end(messages: SseMessage[]): void {
    if (this.#data.length > 0) {
      const data = this.#data.join("\n");
      messages.push(this.#id === undefined ? { data } : { data, id: this.#id });
    }
    this.#data = [];
  }
}
