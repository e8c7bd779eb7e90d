import type * as contract from '#contract/api/wallet/price-book.ts';
import { mayApprove, type Verdict } from '#core/price-book/approval.ts';
import type { DraftHead, PriceVersion } from '#core/price-book/price-book-store.ts';
import type { PriceChange, PriceValue } from '#core/price-book/price-tables.ts';
import type { PriceBook } from '../../../control/wallet/book/price-book.ts';
import type { Outcome, PriceDrafts } from '../../../control/wallet/book/price-drafts.ts';
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
  listPriceDrafts: async (_, { actor }) =>
    (await drafts.list()).map((draft) => draftWire(draft, actor.user.id)),
  readPriceDraft: async ({ params }, { actor }) => {
    const { diff, changedSince, current, edition, needsApproval, restoring, ...draft } = await drafts.read(
      params.id,
    );
    return {
      ...draftWire(draft, actor.user.id),
      edition,
      current,
      needs_approval: needsApproval,
      settings: [...draft.settings],
      restoring:
        restoring === undefined
          ? null
          : { version: restoring.version, ends_schedules: restoring.endsSchedules },
      diff: diff.map(changeWire),
      changed_since: changedSince.map(changeWire),
    };
  },
  createPriceDraft: async ({ body }, { actor }) => ({
    id: await drafts.create(actor, body.reason, body.entries),
  }),
  updatePriceDraft: async ({ params, body }, { actor }) => {
    const { was, ...edit } = body;
    await drafts.update(actor, params.id, edit, was?.edition);
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
  approvePriceDraft: async ({ params, body: { at_once: isAtOnce = false, words = '', ...how } }, { actor }) =>
    outcomeWire(await prices.approve(actor, params.id, { ...how, words, isAtOnce })),
  rejectPriceDraft: async ({ params, body }, { actor }) => {
    await prices.reject(actor, params.id, body);
    return null;
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

const verdictWire = (verdict: Verdict | undefined) =>
  verdict === undefined
    ? null
    : {
        id: verdict.id,
        name: verdict.name,
        approved: verdict.isApproved,
        time: toSeconds(verdict.atMs),
        words: verdict.words,
      };

const versionWire = ({
  version,
  createdAtMs,
  author,
  reason,
  changes,
  restoredFrom,
  writers,
  approval,
  settings,
}: PriceVersion) => ({
  version,
  created_at: toSeconds(createdAtMs),
  author,
  reason,
  changes: changes ?? null,
  restored_from: restoredFrom ?? null,
  writers: [...writers],
  approval: verdictWire(approval),
  settings: [...settings],
});

const draftWire = (draft: DraftHead, actorId: number) => ({
  id: draft.id,
  author: draft.author,
  reason: draft.reason,
  base: draft.base,
  entries: draft.entryCount + draft.settings.length,
  updated_at: toSeconds(draft.updatedAtMs),
  due_at: draft.dueAtMs === undefined ? null : toSeconds(draft.dueAtMs),
  revision: draft.revision,
  writers: [...draft.writers],
  verdict: verdictWire(draft.verdict),
  may_approve: (draft.state === 'asked' || draft.state === 'late') && mayApprove(actorId, draft.writers),
  state: draft.state,
});

/** The result of a change of prices. */
export const outcomeWire = ({ published, version, changedSince, waiting, groupsInUse = [] }: Outcome) => ({
  published,
  version,
  changed_since: changedSince.map(changeWire),
  draft: waiting ?? null,
  groups_in_use: groupsInUse.map((each) => ({ ...each, settings: [...each.settings] })),
});
