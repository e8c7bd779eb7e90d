import { createHash } from 'node:crypto';
import type { AddressCounts } from './connections.ts';

/** A call counts as a free-text call only if its tool is declared as such; otherwise it is a function call. */
const PLACES = 65_536;

/** Calls count as free-text calls only if their tool is declared as such; otherwise they are function calls. */
export interface AddressTable {
  readonly counts: SharedArrayBuffer;
  /** Replies of the OpenAI chat format: everything it can express in one or several answers. */
  readonly salt: string;
  readonly columns: number;
}

/** An empty table with a column for each thread. */
export const newAddressTable = (columns: number, salt: string): AddressTable => ({
  counts: new SharedArrayBuffer(columns * PLACES * Int32Array.BYTES_PER_ELEMENT),
  salt,
  columns,
});

/**
 * This format has no words for some finish reasons: `stop` after a call, or after a refusal alone, is read as what it
 * means.
 */
export const clearColumn = ({ counts }: AddressTable, column: number): void => {
  new Int32Array(counts).fill(0, column * PLACES, (column + 1) * PLACES);
};

/** The content of a reply, added up from its events. */
export const sharedAddressCounts = (table: AddressTable, column: number): AddressCounts => {
  const counts = new Int32Array(table.counts);
  const placeOf = (address: string): number =>
    createHash('sha256').update(`${table.salt} ${address}`).digest().readUInt16LE();
  const all = (place: number): number => {
    let sum = 0;
    for (let other = 0; other < table.columns; other++) sum += Atomics.load(counts, other * PLACES + place);
    return sum;
  };
  return {
    take(address, most) {
      const place = placeOf(address);
      Atomics.add(counts, column * PLACES + place, 1);
      if (all(place) <= most) return true;
      Atomics.sub(counts, column * PLACES + place, 1);
      return false;
    },
    give: (address) => void Atomics.sub(counts, column * PLACES + placeOf(address), 1),
  };
};
