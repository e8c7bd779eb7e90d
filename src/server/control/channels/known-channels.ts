import { setImmediate } from 'node:timers/promises';
import type { Channel, ChannelRow } from '#core/channel/channel.ts';

/** How many rows are compared in one turn of the event loop. Parsing a row and decrypting its key counts as several. */
const WORK_AT_ONCE = 500;
const PARSED_WORK = 10;

/** Remembers parsed channels. Rows that have not changed since the last reading are not parsed again. */
export class KnownChannels {
  #last: ReadonlyMap<number, { readonly row: ChannelRow; readonly channel: Channel }> = new Map();

  /** The channels of these rows, parsed in small batches. Rows that do not parse are left out. */
  async of(
    rows: readonly ChannelRow[],
    parse: (row: ChannelRow) => Channel,
  ): Promise<ReadonlyMap<ChannelRow, Channel>> {
    const known = new Map<ChannelRow, Channel>();
    const next = new Map<number, { readonly row: ChannelRow; readonly channel: Channel }>();
    let work = 0;
    for (const row of rows) {
      const last = this.#last.get(row.id);
      const isSame = last !== undefined && isSameRow(last.row, row);
      if ((work += isSame ? 1 : PARSED_WORK) >= WORK_AT_ONCE) {
        work = 0;
        await setImmediate();
      }
      const channel = isSame ? last.channel : parsedOrNot(row, parse);
      if (channel === undefined) continue;
      known.set(row, channel);
      next.set(row.id, { row, channel });
    }
    this.#last = next;
    return known;
  }
}

/** Fields that change by use and do not affect calls. */
const COUNTED: ReadonlySet<keyof ChannelRow> = new Set([
  'usedQuotaUnits',
  'balanceUsd',
  'balanceUpdatedAtMs',
  'responseTimeMs',
  'testedAtMs',
  'otherInfo',
]);

const isSameRow = (one: ChannelRow, other: ChannelRow): boolean => {
  for (const name in one) {
    const field = name as keyof ChannelRow;
    if (!COUNTED.has(field) && one[field] !== other[field]) return false;
  }
  return true;
};

/** The error is reported where the row is left out. */
const parsedOrNot = (row: ChannelRow, parse: (row: ChannelRow) => Channel): Channel | undefined => {
  try {
    return parse(row);
  } catch {
    return undefined;
  }
};
