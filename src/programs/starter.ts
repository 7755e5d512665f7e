import { type ChildProcess, fork } from "node:child_process";
import { builtFile } from "../settings/index.ts";
import type { Order, Told } from "./protocol.ts";

/** A starter that has nothing to do for this long ends: it takes the memory of a small program. */
const IDLE_MS = 30_000;

interface Options {
  /** What became of an order. */
  readonly tell: (told: Told) => void;
  /** It is gone, and with it the orders it had: nobody knows what became of those. */
  readonly onEnd: () => void;
}

/** A process that runs programs for this one, which is larger. */
export class Starter {
  readonly #child: ChildProcess;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ tell, onEnd }: Options) {
    const env = { PATH: process.env.PATH };
    this.#child = fork(builtFile("bin/starter.js"), [], {
      env,
      execArgv: [],
      serialization: "advanced",
      stdio: "ignore",
    });
    this.#child.on("message", (told) => {
      this.#waiting -= 1;
      this.#rest();
      // Both ends are of one build: a message says what became of an order.
      tell(told as Told);
    });
    let isOver = false;
    const over = () => {
      clearTimeout(this.#timer);
      if (!isOver) onEnd();
      isOver = true;
    };
    this.#child.once("error", over);
    this.#child.once("exit", over);
    this.#child.once("disconnect", over);
    this.#rest();
  }

  send(order: Order): void {
    if (order.do === "run") {
      this.#waiting += 1;
      this.#rest();
    }
    this.#child.send(order, (error) => {
      // What cannot be reached any more is no starter.
      if (error) this.#child.kill("SIGKILL");
    });
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  /** Keeps this process running while it has orders, and ends the starter some time after the last. */
  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#waiting > 0) {
      this.#child.ref();
      this.#child.channel?.ref();
      return;
    }
    this.#child.unref();
    this.#child.channel?.unref();
    this.#timer = setTimeout(() => this.close(), IDLE_MS);
    this.#timer.unref();
  }
}
