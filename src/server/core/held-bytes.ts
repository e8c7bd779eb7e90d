/** Bytes of a known number, kept wherever there is room for them: each reading begins anew. */
export interface HeldBytes {
  readonly length: number;
  /** Those from `start` up to `end`, in pieces small enough to be in memory by the hundred. Throws `unavailable`. */
  read(start: number, end: number): AsyncIterable<Buffer>;
  /** The same, in memory for as long as the call lasts. Throws `unavailable` where too much is there already. */
  load(start: number, end: number): Promise<Buffer>;
}

/** Bytes that are in memory anyway. */
export const heldInMemory = (bytes: Buffer): HeldBytes => ({
  length: bytes.length,
  read: async function* read(start, end) {
    yield bytes.subarray(start, end);
  },
  load: (start, end) => Promise.resolve(bytes.subarray(start, end)),
});
