import type * as contract from '#contract/api/wallet/price-book.ts';
import type { DraftHead, PriceVersion } from '#core/price-book/price-book-store.ts';
import type { PriceChange, PriceValue } from '#core/price-book/price-tables.ts';
import type { Outcome, PriceBook } from '../../../control/wallet/price-book.ts';
import type { PriceDrafts } from '../../../control/wallet/price-drafts.ts';
import type { Handlers } from '../../handler.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';

/** Changes of prices and their versions, for admins. */
export const priceBookHandlers = ({
  prices,
  priceDrafts: drafts,
}: {
  readonly prices: PriceBook;
  readonly priceDrafts: PriceDrafts;
}): Handlers<typeof contract> => ({
  listPriceVersions: async ({ query }) =>
    pageOf(await prices.versions(pageRequest(query)), query, versionWire),
  readPriceVersion: async ({ params }) => {
    const { diff, ...version } = await prices.version(params.id);
    return { ...versionWire(version), diff: diff.map(changeWire) };
  },
  listPriceDrafts: async () => (await drafts.list()).map(draftWire),
  readPriceDraft: async ({ params }) => {
    const { diff, changedSince, current, edition, ...draft } = await drafts.read(params.id);
    return {
      ...draftWire(draft),
      edition,
      current,
      diff: diff.map(changeWire),
      changed_since: changedSince.map(changeWire),
    };
  },
  createPriceDraft: async ({ body }, { actor }) => ({
    id: await drafts.create(actor, body.reason, body.entries),
  }),
  updatePriceDraft: async ({ params, body }) => {
    const { was, ...edit } = body;
    await drafts.update(params.id, edit, was?.edition);
    return null;
  },
  deletePriceDraft: async ({ params }, { actor }) => {
    await drafts.delete(actor, params.id);
    return null;
  },
  publishPriceDraft: async ({ params, body: { at, remove_groups: mayRemove, was, ...how } }, { actor }) => {
    const atMs = at === undefined ? undefined : at * 1000;
    const publishing = { ...how, mayRemove, atMs, edition: was?.edition };
    return outcomeWire(await prices.publish(actor, params.id, publishing));
  },
  unschedulePriceDraft: async ({ params }, { actor }) => {
    await prices.unschedule(actor, params.id);
    return null;
  },
  restorePriceVersion: async ({ params, body: { remove_groups: mayRemove, ...how } }, { actor }) =>
    outcomeWire(await prices.restore(actor, params.id, { ...how, scheduled: how.scheduled, mayRemove })),
});

const valueWire = (value: PriceValue) => (typeof value === 'object' && value !== null ? { ...value } : value);

const changeWire = ({ option, key, before, after }: PriceChange) => ({
  option,
  key,
  before: valueWire(before),
  after: valueWire(after),
});

const versionWire = ({ version, createdAtMs, author, reason, changes, restoredFrom }: PriceVersion) => ({
  version,
  created_at: toSeconds(createdAtMs),
  author,
  reason,
  changes: changes ?? null,
  restored_from: restoredFrom ?? null,
});

const draftWire = ({ id, author, reason, base, entryCount, updatedAtMs, dueAtMs, state }: DraftHead) => ({
  id,
  author,
  reason,
  base,
  entries: entryCount,
  updated_at: toSeconds(updatedAtMs),
  due_at: dueAtMs === undefined ? null : toSeconds(dueAtMs),
  state,
});

/** The result of a change of prices. */
export const outcomeWire = ({ published, version, changedSince, groupsInUse = [] }: Outcome) => ({
  published,
  version,
  changed_since: changedSince.map(changeWire),
  groups_in_use: [...groupsInUse],
});
