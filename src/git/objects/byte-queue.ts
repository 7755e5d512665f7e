const NEWLINE = 0x0a;

/** Bytes as they arrive, taken out in the pieces they mean. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** The next line without its end; undefined as long as it is not complete. */
  line(): string | undefined {
    let before = 0;
    for (const chunk of this.#chunks) {
      const at = chunk.indexOf(NEWLINE);
      if (at >= 0) return this.take(before + at + 1)?.toString("latin1", 0, before + at);
      before += chunk.length;
    }
    return undefined;
  }

  /** So many bytes; undefined as long as they are not all there. */
  take(size: number): Buffer | undefined {
    if (this.#size < size) return undefined;
    const taken: Buffer[] = [];
    let missing = size;
    let used = 0;
    for (const chunk of this.#chunks) {
      if (missing === 0) break;
      if (chunk.length > missing) {
        taken.push(chunk.subarray(0, missing));
        this.#chunks[used] = chunk.subarray(missing);
        missing = 0;
        break;
      }
      taken.push(chunk);
      missing -= chunk.length;
      used++;
    }
    this.#chunks.splice(0, used);
    this.#size -= size;
    const [only] = taken;
    return taken.length === 1 && only ? only : Buffer.concat(taken, size);
  }
}
