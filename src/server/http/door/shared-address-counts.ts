import { createHash } from 'node:crypto';
import type { AddressCounts } from './connections.ts';

/** Addresses whose digests select the same place share a count. There are enough places that this rarely matters. */
const PLACES = 65_536;

/** The table in which all threads of a process count connections: each thread has a column of places. */
export interface AddressTable {
  readonly counts: SharedArrayBuffer;
  /** Mixed into each digest, so that nobody can choose addresses that share a place. */
  readonly salt: string;
  readonly columns: number;
}

/** An empty table with a column for each thread. */
export const newAddressTable = (columns: number, salt: string): AddressTable => ({
  counts: new SharedArrayBuffer(columns * PLACES * Int32Array.BYTES_PER_ELEMENT),
  salt,
  columns,
});

/** Clears the counts of a thread that has ended. */
export const clearColumn = ({ counts }: AddressTable, column: number): void => {
  new Int32Array(counts).fill(0, column * PLACES, (column + 1) * PLACES);
};

/**
 * Counts the connections of each address over all threads of a process. A thread counts itself first and then checks
 * the sum: two simultaneous connections may both be refused, but there is never one too many.
 */
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
