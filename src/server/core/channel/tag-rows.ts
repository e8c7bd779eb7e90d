import { channelStatus } from '#contract/codes.ts';
import { commaList } from '#contract/text.ts';
import type { ChannelRow } from './channel.ts';

/** The channels of one tag, as one row of a list. */
export interface TagRow {
  /** The lowest id among its channels. */
  readonly id: number;
  readonly tag: string;
  readonly count: number;
  /** Empty if only sums are requested. */
  readonly channelIds: readonly number[];
  readonly enabled: number;
  /** All groups of all these channels. */
  readonly groups: readonly string[];
  readonly usedQuotaUnits: number;
  /** The mean over the tested channels; 0 if none was tested. */
  readonly responseTimeMs: number;
  /** Null if the priorities differ. */
  readonly priority: number | null;
  readonly weight: number | null;
}

/** Groups channels by tag, in the order given; leaves out those without a tag. */
export const tagRows = (rows: readonly ChannelRow[]): TagRow[] => {
  const byTag = new Map<string, ChannelRow[]>();
  for (const row of rows) {
    if (row.tag === null || row.tag === '') continue;
    const list = byTag.get(row.tag);
    if (list === undefined) byTag.set(row.tag, [row]);
    else list.push(row);
  }
  return [...byTag].map(([tag, list]) => summedUp(tag, list));
};

const summedUp = (tag: string, rows: readonly ChannelRow[]): TagRow => {
  const tested = rows.filter((row) => row.responseTimeMs > 0);
  const total = tested.reduce((sum, row) => sum + row.responseTimeMs, 0);
  const channelIds = rows.map(({ id }) => id);
  return {
    id: Math.min(...channelIds),
    tag,
    count: rows.length,
    channelIds,
    enabled: rows.filter(({ status }) => status === channelStatus.enabled).length,
    groups: [...new Set(rows.flatMap(({ groups }) => commaList(groups)))],
    usedQuotaUnits: rows.reduce((sum, row) => sum + row.usedQuotaUnits, 0),
    responseTimeMs: tested.length === 0 ? 0 : Math.round(total / tested.length),
    priority: common(rows.map(({ priority }) => priority)),
    weight: common(rows.map(({ weight }) => weight)),
  };
};

const common = (values: readonly number[]): number | null =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null;
