/** Lines of a transcript of Claude Code, each as it would be appended. */
export class ClaudeLines {
  readonly lines: string[] = [];
  readonly #start: number;
  readonly #model: string;
  readonly #scale: number;
  #n = 0;

  /** `start`: when its first line was written, in milliseconds since 1970. `scale`: of its usage. */
  constructor(start = Date.UTC(2026, 0, 1), model = "claude-sonnet", scale = 1) {
    this.#start = start;
    this.#model = model;
    this.#scale = scale;
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  prompt(text: string): this {
    return this.#add({ type: "user", message: { role: "user", content: text } });
  }

  answer(text: string): this {
    return this.#message([{ type: "text", text }]);
  }

  thinking(thinking: string): this {
    return this.#message([{ type: "thinking", thinking, signature: "x" }]);
  }

  call(id: string, name: string, input: object): this {
    return this.#message([{ type: "tool_use", id, name, input }]);
  }

  result(id: string, content: unknown, more: object = {}): this {
    const block = { type: "tool_result", tool_use_id: id, content, is_error: false, ...more };
    return this.#add({ type: "user", message: { role: "user", content: [block] } });
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  #message(content: unknown): this {
    const scale = this.#scale;
    const usage = {
      input_tokens: 10 * scale,
      output_tokens: 5 * scale,
      cache_read_input_tokens: 100 * scale,
    };
    const message = {
      id: `m${this.#n}`,
      role: "assistant",
      model: this.#model,
      content,
      usage,
    };
    return this.#add({ type: "assistant", message });
  }

  #add(fields: object): this {
    const at = new Date(this.#start + this.#n * 1_000).toISOString();
    this.#n++;
    const common = { sessionId: "s1", uuid: `u${this.#n}`, timestamp: at, cwd: "/project" };
    return this.raw(JSON.stringify({ ...common, ...fields }));
  }
}
