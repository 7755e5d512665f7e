import { EventEmitter } from "node:events";
import { messageOf } from "../../../errors/index.ts";

/** A bus for messages between parts of a program. What a listener throws stays with it. */
export function createEventBus() {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    emit: (channel: string, data: unknown) => void emitter.emit(channel, data),
    on: (channel: string, handler: (data: unknown) => unknown) => {
      const listener = async (data: unknown) => {
        try {
          await handler(data);
        } catch (thrown) {
          process.emitWarning(`A listener of "${channel}" failed: ${messageOf(thrown)}`);
        }
      };
      emitter.on(channel, listener);
      return () => void emitter.off(channel, listener);
    },
    clear: () => void emitter.removeAllListeners(),
  };
}
