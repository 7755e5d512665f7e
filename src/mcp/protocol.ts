import type { AskedDialog, CallEnd, Offers } from "../daemon/index.ts";

/** A tool that Seam itself serves, beside those of extensions. It leaves everything as it is. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  /** Who is offered it; absent: everybody. */
  readonly offeredTo?: "members of a crew" | "others";
  /** JSON schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `params` fit the schema. What it throws is told to the model. */
  run(params: Readonly<Record<string, unknown>>, place: ToolPlace): Promise<string>;
}

/** Where a tool is called from. */
export interface ToolPlace {
  readonly cwd: string;
  /** The attempt of a crew whose agent calls it. */
  readonly attempt?: string;
}

/** Such a tool without the code behind it, which is in the daemon's own thread. */
export type ServedToolInfo = Omit<ServedTool, "run" | "offeredTo">;

/** A JSON-RPC id. */
export type RequestId = string | number;

/** What a client wants that only the daemon's own thread can do. */
export type Wish =
  | { readonly kind: "offers" }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly request: RequestId;
      readonly canAsk: boolean;
    }
  | {
      readonly kind: "command";
      readonly name: string;
      readonly args: string;
      readonly request: RequestId;
      readonly canAsk: boolean;
    }
  | {
      readonly kind: "served";
      readonly name: string;
      readonly params: Readonly<Record<string, unknown>>;
    };

export type Granted = { readonly offers: Offers } | { readonly end: CallEnd };

/** To the thread that speaks MCP. `client` is the number of a connection. */
export type ToMcpThread =
  | {
      readonly do: "open";
      readonly client: number;
      readonly pid: number;
      readonly cwd: string;
      readonly tools: readonly ServedToolInfo[];
    }
  | { readonly do: "bytes"; readonly client: number; readonly bytes: Uint8Array }
  | { readonly do: "close"; readonly client: number }
  /** Its extensions offer something else from now on. */
  | { readonly do: "changed"; readonly client: number }
  | { readonly do: "grant"; readonly id: number; readonly granted: Granted }
  | { readonly do: "progress"; readonly id: number; readonly text: string }
  /** What is called asks the client's user something. Answered with "answer". */
  | { readonly do: "ask"; readonly id: number; readonly dialog: AskedDialog };

/** What the thread that speaks MCP says. */
export type FromMcpThread =
  | { readonly say: "write"; readonly client: number; readonly text: string }
  | { readonly say: "end"; readonly client: number }
  /** The daemon answers with "grant". `processes`: the client's and those above it. */
  | {
      readonly say: "wish";
      readonly id: number;
      readonly client: number;
      readonly processes: readonly number[];
      readonly wish: Wish;
    }
  /** What the client's user said; no value: nobody answered. */
  | {
      readonly say: "answer";
      readonly id: number;
      readonly dialog: number;
      readonly value?: string;
    }
  /** Nobody waits for this wish any more. */
  | { readonly say: "abandon"; readonly id: number }
  | { readonly say: "log"; readonly text: string };

/**
 * A line that only the pipe reads: from here on the request is under way, and is not sent again if
 * the daemon dies. It is in the pipe's hands before the work begins.
 */
export function beganLine(id: RequestId): string {
  return `${JSON.stringify({ seam: "began", id })}\n`;
}

export const MCP_PATH = "/v1/mcp";
