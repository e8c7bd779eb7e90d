import type { OptionValues } from '#contract/options.ts';
import type { PriceOption } from '#contract/price-book.ts';
import type { Routing } from '#core/channel/routing.ts';
import { asAppError } from '#core/error.ts';
import type { Log } from '#core/logging.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { CataloguePrice } from '#core/quota/catalogue.ts';
import { afterOthers } from '#core/time/after-others.ts';
import { fetchBytes } from '../channels/checks/read-reply.ts';
import { servedModels } from '../people/usable-groups.ts';
import { refuse } from '../refuse.ts';
import { numberOptions, type NumberOption, type Offered, readPriceList } from './price-list.ts';
import { ownOf } from '#core/json/fields.ts';

export interface PriceSyncDeps {
  readonly routing: () => Routing;
  /** Sends to addresses that are not trusted. */
  readonly strangers: Pick<Sender, 'send'>;
  readonly checkUrl: (url: string) => unknown;
  readonly log: Log;
}

/**
 * `flip`: priced per call here and by tokens there, or the other way round; never taken over automatically. `partial`: it
 * also has prices there that are not taken over, and none for them here.
 */
export type HeldBack = 'flip' | 'zero' | 'far' | 'partial' | 'none';

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

/** More than three times as much, or less than a third, is as likely a mistake as a change. */
const FAR = 3;
/** Used if there is no price here to compare with: more than anything on sale costs. */
const USUAL_MOST: Readonly<Record<NumberOption, number>> = {
  // In dollars per call; a ratio of 500 is 1000 dollars per million tokens.
  ModelPrice: 100,
  ModelRatio: 500,
  CompletionRatio: 100,
  CacheRatio: 2,
  CreateCacheRatio: 10,
};
/** And less than anything costs: a thousandth of a dollar per million tokens. */
const USUAL_LEAST: Readonly<Record<NumberOption, number>> = {
  ModelPrice: 0.000_001,
  ModelRatio: 0.0005,
  CompletionRatio: 0.05,
  CacheRatio: 0.005,
  CreateCacheRatio: 0.05,
};
const ROWS_MAX = 5000;
const MODELS_A_TURN = 500;
const TIMEOUT_MS = 15_000;

export type PriceSync = ReturnType<typeof createPriceSync>;

/** Finds prices that differ in the catalogue, or in a list at an address; saves nothing. */
export const createPriceSync = ({ routing, strangers, checkUrl, log }: PriceSyncDeps) => {
  const fetched = async (url: string): Promise<ReadonlyMap<string, Offered>> => {
    try {
      checkUrl(url);
      const offered = await readPriceList(await fetchBytes(strangers, url, TIMEOUT_MS));
      if (offered.size === 0) throw new Error('no prices are in it');
      return offered;
    } catch (thrown) {
      const { message } = asAppError(thrown);
      log.warn('a list of prices could not be read', { url, error: thrown });
      throw refuse('price_list_failed', { issue: thrown instanceof Error ? thrown.message : message });
    }
  };

  return {
    async compare(url: string | undefined): Promise<readonly SyncRow[]> {
      const { options } = routing();
      const models = [...new Set([...servedModels(routing()), ...setModels(options)])].toSorted();
      const list = url === undefined ? undefined : await fetched(url);
      const rows: SyncRow[] = [];
      for (const [at, model] of models.entries()) {
        if (at % MODELS_A_TURN === 0) await afterOthers();
        const known = routing().catalogue.find(model);
        const offered = list === undefined ? offeredBy(known) : list.get(model);
        if (offered === undefined) continue;
        rows.push(
          ...(list === undefined
            ? onlySet(options, model, offered)
            : differing(options, known, model, offered)),
        );
        if (rows.length >= ROWS_MAX) break;
      }
      return rows.slice(0, ROWS_MAX);
    },
  };
};

const setModels = (options: OptionValues): string[] =>
  numberOptions.flatMap((option) => Object.keys(options[option]));

const offeredBy = (known: CataloguePrice | undefined): Offered | undefined =>
  known && {
    ModelRatio: known.modelRatio,
    CompletionRatio: known.completionRatio,
    ...(known.cacheRatio !== undefined && { CacheRatio: known.cacheRatio }),
    ...(known.createCacheRatio !== undefined && { CreateCacheRatio: known.createCacheRatio }),
  };

/** Prices that nobody has set come from the catalogue anyway. */
const onlySet = (options: OptionValues, model: string, offered: Offered): SyncRow[] =>
  differing(options, undefined, model, offered).filter(
    ({ before, held }) => before !== null || held === 'flip',
  );

const differing = (
  options: OptionValues,
  known: CataloguePrice | undefined,
  model: string,
  offered: Offered,
): SyncRow[] => {
  const here: Offered = { ...offeredBy(known), ...setFor(options, model) };
  const isByCall = here.ModelPrice !== undefined;
  const isByCallThere = offered.ModelPrice !== undefined;
  const lacks =
    offered.isPartial === true && known === undefined && !Object.hasOwn(options.PriceDimensions, model);
  const isFlipped = isByCall !== isByCallThere && (isByCall || here.ModelRatio !== undefined);
  return numberOptions.flatMap((option): SyncRow[] => {
    const after = offered[option];
    const before = here[option] ?? null;
    if (after === undefined || after === before) return [];
    if (isFlipped && option !== 'ModelPrice' && option !== 'ModelRatio') return [];
    const seen = isFlipped ? 'flip' : heldBack(option, before, after);
    return [{ option, key: model, before, after, held: seen === 'none' && lacks ? 'partial' : seen }];
  });
};

const setFor = (options: OptionValues, model: string): Offered =>
  Object.fromEntries(
    numberOptions.flatMap((option) => {
      const value = ownOf(options[option], model);
      return value === undefined ? [] : [[option, value]];
    }),
  );

const heldBack = (option: NumberOption, before: number | null, after: number): HeldBack => {
  if (after === 0) return 'zero';
  const isFar =
    before === null
      ? after > USUAL_MOST[option] || after < USUAL_LEAST[option]
      : before === 0 || after > before * FAR || after * FAR < before;
  return isFar ? 'far' : 'none';
};
