import type { z } from 'zod';
import type * as contract from '#contract/api/wallet/reconcile.ts';
import { RECONCILED_HEAD_BYTES } from '#contract/limits.ts';
import type { ComparedList } from '#contract/channel/reconcile.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { HouseCostStore } from '#core/cost/house-cost-store.ts';
import { lookAtFile, type ReconcileAsked } from '#core/reconcile/reconciliation.ts';
import { refuse } from '../../../control/refuse.ts';
import type { Handlers } from '../../handler.ts';
import type { ComparedWire } from './reconcile-wire.ts';

/** A file to compare with the calls of channels. */
export interface CompareJob {
  readonly asked: ReconcileAsked;
  readonly channelIds: readonly number[];
  /** The list that is written to a file; undefined for all. */
  readonly list: ComparedList | undefined;
}

/** A comparison that has been made. */
export interface Compared {
  readonly wire: ComparedWire;
  readonly rows: number;
  /** Its lines as a file; ends it. */
  pieces(): AsyncGenerator<Uint8Array, void>;
  end(): Promise<void>;
}

/** Compares a file with calls; one at a time in this process. Throws `rate_limited`, or why the file cannot be compared. */
export type CompareFile = (job: CompareJob, file: AsyncIterable<Uint8Array>) => Promise<Compared>;

interface ReconcileDeps {
  readonly compareFile: CompareFile;
  readonly routing: () => Routing;
  readonly houseCosts: Pick<HouseCostStore, 'days'>;
}

const ROWS_SHOWN = 8;
const CELL_SHOWN_LENGTH = 200;

/** Files of upstreams against the calls of channels. */
export const reconcileHandlers = ({
  compareFile,
  routing,
  houseCosts,
}: ReconcileDeps): Handlers<typeof contract> => ({
  reconcileFile: async ({ query, file }, { askAgain }) => {
    const job = jobOf(query, routing(), undefined);
    const compared = await compareFile(job, file);
    await compared.end();
    await askAgain();
    const { failed, ...wire } = compared.wire;
    return { ...wire, house: { failed, kinds: await houseOf(houseCosts, job.channelIds, wire) } };
  },
  exportReconciled: async ({ query, file }, { askAgain }) => {
    const compared = await compareFile(jobOf(query, routing(), query.list || undefined), file);
    try {
      await askAgain();
    } catch (thrown) {
      await compared.end();
      throw thrown;
    }
    return {
      fileName: 'reconciliation.csv',
      contentType: 'text/csv; charset=utf-8',
      rows: compared.rows,
      pieces: () => compared.pieces(),
    };
  },
  readReconciledColumns: async ({ file }) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of file) pieces.push(piece);
    const head = Buffer.concat(pieces);
    const { shape, columns, header, rows } = lookAtFile(
      head,
      head.length < RECONCILED_HEAD_BYTES,
      ROWS_SHOWN,
    );
    const cut = (cell: string): string => cell.slice(0, CELL_SHOWN_LENGTH);
    return {
      shape: shape ?? null,
      columns: Object.fromEntries(Object.entries(columns).map(([role, titles]) => [role, [...titles]])),
      header: header.map(cut),
      rows: rows.map(({ cells }) => cells.map(cut)),
    };
  },
});

type Query = z.infer<typeof contract.reconcileFile.query>;

const jobOf = (query: Query, { channels, options }: Routing, list: ComparedList | undefined): CompareJob => {
  const ofTag = [...channels.values()].filter(({ tag }) => query.tag !== '' && tag === query.tag);
  const channelIds = [...new Set([...query.channels, ...ofTag.map(({ id }) => id)])];
  if (channelIds.length === 0) throw refuse('reconcile_channels');
  return {
    channelIds,
    list,
    asked: {
      columns: query.columns,
      zone: query.zone,
      dateOrder: query.date_order || undefined,
      decimalSign: query.decimal || undefined,
      key: query.key || undefined,
      by: query.by || undefined,
      windowMs: query.within_seconds * 1000,
      fromMs: query.start_timestamp ? query.start_timestamp * 1000 : undefined,
      untilMs: query.end_timestamp ? query.end_timestamp * 1000 + 999 : undefined,
      currency: query.currency,
      rates: options['cost_setting.currency_rates'],
    },
  };
};

/** What the house paid for itself at these channels on the days of the file, by kind. */
const houseOf = async (
  houseCosts: ReconcileDeps['houseCosts'],
  channelIds: readonly number[],
  { from, until }: Pick<ComparedWire, 'from' | 'until'>,
) => {
  const kinds = new Map<string, { kind: string; calls: number; cost_nano_usd: number; uncosted: number }>();
  for (const day of await houseCosts.days({ fromMs: from, toMs: until })) {
    if (!channelIds.includes(day.channelId)) continue;
    const sum = kinds.get(day.kind) ?? { kind: day.kind, calls: 0, cost_nano_usd: 0, uncosted: 0 };
    sum.calls += day.calls;
    sum.cost_nano_usd += day.costNano;
    sum.uncosted += day.uncosted;
    kinds.set(day.kind, sum);
  }
  return [...kinds.values()];
};
