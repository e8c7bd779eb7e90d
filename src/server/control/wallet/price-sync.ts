import { ratioAt } from '#contract/model-dollars.ts';
import type { OptionValues } from '#contract/options.ts';
import type { PriceOption } from '#contract/price-book.ts';
import type { Routing } from '#core/channel/routing.ts';
import { asAppError } from '#core/error.ts';
import type { Log } from '#core/logging.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { CataloguePrice } from '#core/quota/catalogue.ts';
import type { PriceSources } from '#core/quota/price.ts';
import { afterOthers } from '#core/time/after-others.ts';
import { fetchBytes } from '../channels/checks/read-reply.ts';
import { servedModels } from '../people/usable-groups.ts';
import { refuse } from '../refuse.ts';
import { type HeldBack, judgeOf } from './price-caps.ts';
import { numberOptions, type Offered, type ReadList, readPriceList } from './price-list.ts';
import { ownOf } from '#core/json/fields.ts';

export interface PriceSyncDeps {
  readonly routing: () => Routing;
  /** Sends to addresses that are not trusted. */
  readonly strangers: Pick<Sender, 'send'>;
  readonly checkUrl: (url: string) => unknown;
  readonly log: Log;
}

/** A price that differs elsewhere. */
export interface SyncRow {
  readonly option: PriceOption;
  readonly key: string;
  /** Null if there is none here. */
  readonly before: number | null;
  readonly after: number;
  /** Why it is not taken over without review; `flip` always needs a draft by hand. */
  readonly held: HeldBack;
}

/** What differs from a list, and what its ratios were taken at. */
export type Compared = Pick<ReadList, 'units'> & { readonly rows: readonly SyncRow[] };

const ROWS_MAX = 5000;
const MODELS_A_TURN = 500;
const TIMEOUT_MS = 15_000;

export type PriceSync = ReturnType<typeof createPriceSync>;

/** Finds prices that differ in the catalogue, or in a list at an address; saves nothing. */
export const createPriceSync = ({ routing, strangers, checkUrl, log }: PriceSyncDeps) => {
  const fetched = async (url: string, there: number | undefined): Promise<ReadList> => {
    try {
      checkUrl(url);
      const bytes = await fetchBytes(strangers, url, TIMEOUT_MS);
      const list = await readPriceList(bytes, routing().options.QuotaPerUnit, there);
      if (list.offered.size === 0) throw new Error('no prices are in it');
      return list;
    } catch (thrown) {
      const { message } = asAppError(thrown);
      log.warn('a list of prices could not be read', { url, error: thrown });
      throw refuse('price_list_failed', { issue: thrown instanceof Error ? thrown.message : message });
    }
  };

  return {
    async compare(url: string | undefined, there?: number): Promise<Compared> {
      const { options } = routing();
      const models = [...new Set([...servedModels(routing()), ...setModels(options)])].toSorted();
      const list = url === undefined ? undefined : await fetched(url, there);
      const rows: SyncRow[] = [];
      for (const [at, model] of models.entries()) {
        if (at % MODELS_A_TURN === 0) await afterOthers();
        const known = routing().catalogue.find(model);
        const offered = list === undefined ? offeredBy(known, options) : list.offered.get(model);
        if (offered === undefined) continue;
        const more = together(
          list === undefined
            ? onlySet(routing(), model, offered)
            : differing(routing(), known, model, offered),
        );
        // Half of a model's rows would be another price.
        if (rows.length + more.length > ROWS_MAX) break;
        rows.push(...more);
      }
      return { rows, units: list?.units };
    },
  };
};

const setModels = (options: OptionValues): string[] =>
  numberOptions.flatMap((option) => Object.keys(options[option]));

const offeredBy = (
  known: CataloguePrice | undefined,
  { QuotaPerUnit }: Pick<OptionValues, 'QuotaPerUnit'>,
): Offered | undefined =>
  known && {
    ModelRatio: ratioAt(known.modelRatio, QuotaPerUnit),
    CompletionRatio: known.completionRatio,
    ...(known.cacheRatio !== undefined && { CacheRatio: known.cacheRatio }),
    ...(known.createCacheRatio !== undefined && { CreateCacheRatio: known.createCacheRatio }),
  };

/** Prices that nobody has set come from the catalogue anyway. */
const onlySet = (sources: PriceSources, model: string, offered: Offered): SyncRow[] =>
  differing(sources, undefined, model, offered).filter(
    ({ before, held }) => before !== null || held === 'flip',
  );

const differing = (
  sources: PriceSources,
  known: CataloguePrice | undefined,
  model: string,
  offered: Offered,
): SyncRow[] => {
  const { options } = sources;
  const here: Offered = { ...offeredBy(known, options), ...setFor(options, model) };
  const isByCall = here.ModelPrice !== undefined;
  const isByCallThere = offered.ModelPrice !== undefined;
  const lacks =
    offered.isPartial === true && known === undefined && !Object.hasOwn(options.PriceDimensions, model);
  const isFlipped = isByCall !== isByCallThere && (isByCall || here.ModelRatio !== undefined);
  const judge = isFlipped ? undefined : judgeOf(sources, model, offered);
  return numberOptions.flatMap((option): SyncRow[] => {
    const after = offered[option];
    const before = here[option] ?? null;
    if (after === undefined || after === before) return [];
    if (isFlipped && option !== 'ModelPrice' && option !== 'ModelRatio') return [];
    const seen = judge?.(option, after) ?? 'flip';
    const unseen = offered.isBroken === true ? 'together' : lacks ? 'partial' : 'none';
    return [{ option, key: model, before, after, held: seen === 'none' ? unseen : seen }];
  });
};

/** Ratios of a model multiply: some of them alone would be a price that is neither the old nor the new one. */
const together = (rows: readonly SyncRow[]): readonly SyncRow[] =>
  rows.every(({ held }) => held === 'none')
    ? rows
    : rows.map((row) => (row.held === 'none' ? { ...row, held: 'together' } : row));

const setFor = (options: PriceSources['options'], model: string): Offered =>
  Object.fromEntries(
    numberOptions.flatMap((option) => {
      const value = ownOf(options[option], model);
      return value === undefined ? [] : [[option, value]];
    }),
  );
