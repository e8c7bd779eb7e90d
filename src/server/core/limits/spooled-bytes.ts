/** Bytes of known length, stored in memory or elsewhere. Each read starts anew. */
export interface SpooledBytes {
  readonly length: number;
  /** Reads from `start` to `end` (exclusive) in pieces so small that hundreds fit in memory. Throws `unavailable`. */
  read(start: number, end: number): AsyncIterable<Buffer>;
  /** Reads them into memory until the call ends. Throws `unavailable` when memory for such bytes is full. */
  load(start: number, end: number): Promise<Buffer>;
}

/** Wraps bytes that are already in memory. */
export const bytesInMemory = (bytes: Buffer): SpooledBytes => ({
  length: bytes.length,
  read: async function* read(start, end) {
    yield bytes.subarray(start, end);
  },
  load: (start, end) => Promise.resolve(bytes.subarray(start, end)),
});
