import { AsyncLocalStorage } from "node:async_hooks";
import { type Asker, checkArguments, decide, decideToolCall, runAs } from "../../dispatch/index.ts";
import { messageOf } from "../../errors/index.ts";
import { EVENTS, mismatch, textOfContent, type UserContent } from "../../events/index.ts";
import type { ExtensionSet, ResolvedCommand, ToolDefinition } from "../../extensions/index.ts";
import { type ToolResult, untilAborted } from "../../tools/index.ts";
import type {
  CallEnd,
  OfferedTool,
  Offers,
  SeatMessage,
  WantedCall,
  WorkerTask,
} from "./protocol.ts";

/** A call that runs. */
interface Running {
  readonly id: number;
  readonly canAsk: boolean;
  readonly abort: AbortController;
  /** What a command says, which goes to whoever ran it. Undefined: it is a tool. */
  readonly said?: string[];
  failed?: string;
}

type ToolCall = Extract<WantedCall, { tool: string }>;
type CommandCall = Extract<WantedCall, { command: string }>;

/** A name with which every agent can offer a tool to its model, behind the name of Seam's server. */
const USABLE_NAME = /^[A-Za-z0-9_-]{1,50}$/;
/** Longer than any agent waits for a tool. */
const LONGEST_MS = 3_600_000;
/** How often progress is passed on: nobody can read it faster. */
const PROGRESS_MS = 100;
const MOST_PROGRESS = 1_000;
const CONTENT = EVENTS.tool_result.payload.properties.content;

/** The tools and commands of one session's extensions, for those who call them from outside. */
export class SeatCalls {
  /** As the extensions of the session see it: a command can always say something to who ran it. */
  readonly task: WorkerTask;
  /** Asks a person whether a call may run, where a gate wants that. */
  asker: Asker | undefined;
  readonly #set: ExtensionSet;
  readonly #send: (said: SeatMessage) => void;
  readonly #running = new Map<number, Running>();
  readonly #current = new AsyncLocalStorage<Running>();
  readonly #complained = new Set<string>();
  /** What was offered last, as text. Undefined: nobody wants to know. */
  #offered: string | undefined;

  constructor(set: ExtensionSet, task: WorkerTask, send: (said: SeatMessage) => void) {
    const listens = () => task.listens || this.#current.getStore()?.said !== undefined;
    this.task = {
      ...task,
      get listens() {
        return listens();
      },
    };
    this.#set = set;
    this.#send = send;
    set.onProblem(({ error }) => {
      const running = this.#current.getStore();
      if (running) running.failed ??= error.message;
    });
  }

  /** What extensions say. While a command runs, its words are its result. */
  hear(said: SeatMessage): void {
    const words = this.#current.getStore()?.said;
    if (words && (said.say === "message" || said.say === "notice")) words.push(said.text);
    else this.#send(said);
  }

  /** The call that runs this code, if it is one. */
  get current(): { readonly id: number; readonly canAsk: boolean } | undefined {
    return this.#current.getStore();
  }

  offer(): void {
    this.#offered = "";
    this.tellChanges();
  }

  tellChanges(): void {
    if (this.#offered === undefined) return;
    const offers = this.#offers();
    const text = JSON.stringify(offers);
    if (text === this.#offered) return;
    this.#offered = text;
    this.#send({ say: "offers", offers });
  }

  async call(id: number, wanted: WantedCall): Promise<void> {
    const abort = new AbortController();
    const { canAsk } = wanted;
    const running: Running = { id, canAsk, abort, ...("command" in wanted && { said: [] }) };
    this.#running.set(id, running);
    const timer = setTimeout(() => abort.abort(), LONGEST_MS);
    const run = () =>
      "tool" in wanted ? this.#callTool(wanted, running) : this.#runCommand(wanted, running);
    // One that never returns cannot hold back whoever gives up on it.
    const work = () => untilAborted(abort.signal, run);
    const end = await this.#current
      .run(running, work)
      .catch((thrown: unknown) => failed(messageOf(thrown)));
    clearTimeout(timer);
    this.#running.delete(id);
    this.#send({ say: "called", id, end: { ...end, content: boundedContent(end.content) } });
  }

  abandon(id: number): void {
    this.#running.get(id)?.abort.abort();
  }

  abandonAll(): void {
    for (const { abort } of this.#running.values()) abort.abort();
  }

  #offers(): Offers {
    const tools = this.#set.tools().flatMap(({ tool }) => this.#offeredTool(tool) ?? []);
    const commands = this.#set.commands().map(({ invocationName: name, options }) => ({
      name,
      ...(options.description !== undefined && { description: String(options.description) }),
    }));
    return { tools, commands };
  }

  #offeredTool({ name, label, description, parameters }: ToolDefinition): OfferedTool | undefined {
    const leftOut = (why: string) => {
      if (!this.#complained.has(name)) {
        const text = `the tool ${name} is not offered to other agents: ${why}`;
        this.#send({ say: "log", level: "warn", text });
      }
      this.#complained.add(name);
      return undefined;
    };
    if (!USABLE_NAME.test(name)) {
      return leftOut("its name must be of letters, digits, _ and -, and at most 50 of them");
    }
    try {
      const schema: Record<string, unknown> = JSON.parse(JSON.stringify(parameters));
      const { type = "object" } = schema;
      if (type !== "object") return leftOut("its parameters are not an object");
      return {
        name,
        ...(label !== undefined && label !== name && { title: String(label) }),
        description: String(description),
        parameters: { ...schema, type },
      };
    } catch (thrown) {
      return leftOut(messageOf(thrown));
    }
  }

  async #callTool(wanted: ToolCall, { id, abort }: Running): Promise<CallEnd> {
    const { tool: name, callId, asked } = wanted;
    const found = this.#set.tools().find(({ tool }) => tool.name === name);
    if (!found) return failed(`There is no tool "${name}" any more.`);
    const { tool, extension } = found;
    const { signal } = abort;
    const prepared = tool.prepareArguments?.({ ...wanted.params }) ?? wanted.params;
    const checked = await checkArguments(tool.parameters, { ...Object(prepared) });
    if ("problem" in checked) return failed(`The arguments are wrong: ${checked.problem}.`);
    const ids = { toolName: name, toolCallId: callId, ...this.#ids() };
    let input = checked.args;
    let context: string | undefined;
    if (!asked.call) {
      const event = { type: "tool_call", ...ids, input } as const;
      const options = { signal, schema: tool.parameters, asker: this.asker };
      const decided = await decideToolCall(this.#set.dispatcher, event, options);
      if (decided.blocked) return failed(decided.reason ?? "An extension said no.");
      input = structuredClone({ ...decided.input });
      context = decided.additionalContext;
    }
    const onUpdate = this.#progressOf(id);
    const run = () =>
      tool.execute(
        callId,
        input,
        signal,
        onUpdate,
        this.#set.toolContext(extension, callId, signal),
      );
    let end: CallEnd;
    try {
      end = usable(await runAs(extension, `tool ${name}`, run));
    } catch (thrown) {
      end = failed(messageOf(thrown));
    }
    if (!asked.result) {
      const { content, isError } = end;
      const result = { content: [...content], isError };
      const { results } = await decide(this.#set.dispatcher, [
        { type: "tool_result", ...ids, input, ...result },
      ]);
      end = results[0] ?? end;
    }
    if (context === undefined) return end;
    return { ...end, content: [...end.content, { type: "text", text: context }] };
  }

  async #runCommand({ command: name, args }: CommandCall, running: Running): Promise<CallEnd> {
    const find = (one: ResolvedCommand) => one.invocationName === name;
    const command = this.#set.commands().find(find);
    if (!command) {
      const names = this.#set.commands().map((one) => one.invocationName);
      return failed(`There is no command "${name}". There are: ${names.join(", ") || "none"}.`);
    }
    await command.run(args);
    const { said = [], failed: problem } = running;
    if (problem !== undefined) return failed([...said, problem].join("\n\n"));
    const text = said.join("\n\n") || `/${name} has run and said nothing.`;
    return { content: [{ type: "text", text }], isError: false };
  }

  #progressOf(id: number): (partial: ToolResult) => void {
    let last = 0;
    return (partial) => {
      const now = performance.now();
      if (!this.#running.has(id) || now - last < PROGRESS_MS) return;
      last = now;
      // What is no content would throw inside of the tool.
      if (mismatch(CONTENT, partial?.content) !== undefined) return;
      const text = textOfContent(partial.content).slice(-MOST_PROGRESS);
      this.#send({ say: "progress", id, text });
    };
  }

  #ids() {
    return { sessionId: this.task.sessionId, agent: this.task.agent };
  }
}

/** Tools of extensions may return anything; what is no content cannot be passed on. */
function usable(result: ToolResult | undefined): CallEnd {
  const problem = result?.content ? mismatch(CONTENT, result.content) : "it has no content";
  if (!result || problem) throw new Error(`The tool's result cannot be used: ${problem}.`);
  return { content: result.content, isError: result.isError === true };
}

function failed(text: string): CallEnd {
  const content: UserContent[] = [{ type: "text", text }];
  return { content, isError: true };
}

/** More text than any model reads in one result. */
const MOST_TEXT = 400_000;
/** The most that images of one result may take, in characters of base64. */
const MOST_IMAGES = 8_000_000;

/** A result small enough to be passed on: what is left out is said in its place. */
function boundedContent(content: readonly UserContent[]): UserContent[] {
  let text = MOST_TEXT;
  let images = MOST_IMAGES;
  return content.map((block): UserContent => {
    if (block.type === "image") {
      images -= block.data.length;
      return images >= 0 ? { ...block } : { type: "text", text: "[an image that is too large]" };
    }
    const kept = block.text.slice(0, Math.max(0, text));
    text -= block.text.length;
    const left = block.text.length - kept.length;
    return left === 0
      ? { type: "text", text: block.text }
      : { type: "text", text: `${kept}\n[${left} more characters were left out]` };
  });
}
