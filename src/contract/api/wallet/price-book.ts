import { z } from 'zod';
import { endpoint, idParams, nothing } from '../../endpoint.ts';
import { page, pageQuery } from '../../paging.ts';
import { priceOptions, priceSettings } from '../../price-book.ts';
import { text, trimmed, unixSeconds } from '../../text.ts';
import { removeGroups } from '../site/options.ts';

export const PRICE_REASON_MAX_LENGTH = 500;
/** Of one draft. A first sync of a large catalogue has fewer. */
const PRICE_ENTRIES_MAX = 5000;
export const PRICE_KEY_MAX_LENGTH = 255;

/** A number, or what a model's dimensions or a group's special ratios are; null for nothing. */
const value = z.union([z.number(), z.record(z.string().max(PRICE_KEY_MAX_LENGTH), z.unknown()), z.null()]);
const option = z.enum(priceOptions);
export const priceVersionNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const reason = trimmed(PRICE_REASON_MAX_LENGTH).min(1);

const entry = z.strictObject({
  option,
  /** A model, a group or a tool. */
  key: text(PRICE_KEY_MAX_LENGTH).min(1),
  /** Null takes it away: what the catalogue has counts again. */
  value,
});
export const priceEntries = z.array(entry).max(PRICE_ENTRIES_MAX);
/** An entry with a number is four values, one with dimensions more. */
export const PRICE_ENTRIES_MAX_VALUES = 5 * PRICE_ENTRIES_MAX;

const priceChange = z.object({ option, key: z.string(), before: value, after: value });

const person = z.object({ id: z.number(), name: z.string() });

/** What another admin has answered. */
const verdict = person.extend({ approved: z.boolean(), time: z.number(), words: z.string() });

/** A setting beside the prices that changes with them. */
const settingChange = z.object({ key: z.enum(priceSettings), before: z.string(), after: z.string() });

const version = z.object({
  version: z.number(),
  created_at: z.number(),
  /** Empty where nobody did it by hand. */
  author: z.string(),
  /** `settings` where a form of the settings was saved. */
  reason: z.string(),
  /** How many names have another value than in the version before; null where that was not counted yet. */
  changes: z.number().nullable(),
  /** The version that was brought back. */
  restored_from: z.number().nullable(),
  /** All who had a part in it, by their names of then; empty where that was not kept yet. */
  writers: z.array(person),
  /** Which other admin approved it; null where nobody had to. */
  approval: verdict.nullable(),
  settings: z.array(settingChange),
});

/** The draft as its editor read it. */
const wasRead = z.object({ edition: text(64) });

const draftHead = z.object({
  id: z.number(),
  author: z.string(),
  reason: z.string(),
  /** The version it was made on. */
  base: z.number(),
  entries: z.number(),
  updated_at: z.number(),
  /** When it is published by itself; null where it is not. */
  due_at: z.number().nullable(),
  /** Increases with every change: an approval is of one revision. */
  revision: z.number(),
  /** All who had a part in it: none of them may approve it. */
  writers: z.array(person),
  /** The approval of a scheduled draft, or why it was rejected; null otherwise, and again after every change. */
  verdict: verdict.nullable(),
  /** Whether it waits for an approval that you may give. */
  may_approve: z.boolean(),
  /**
   * `asked`: it waits for the approval of another admin; `late`: it still does, though it was due; `rejected`: another
   * admin has refused it. Not published when it was due: `conflict`, because one of its entries had been changed
   * meanwhile; `barred`, because the user who scheduled it was no longer allowed to set prices; `used`, because it would
   * have removed groups in use that nobody had agreed to remove.
   */
  state: z.enum(['open', 'asked', 'late', 'rejected', 'due', 'conflict', 'barred', 'used']),
});

export const listPriceVersions = endpoint({
  method: 'GET',
  path: '/api/price_book',
  access: 'admin',
  owner: 'none',
  summary: 'Every version of the prices, newest first',
  query: z.object(pageQuery),
  data: page(version),
});

export const readPriceVersion = endpoint({
  method: 'GET',
  path: '/api/price_book/version/:id',
  access: 'admin',
  owner: 'none',
  summary: 'What a version changed; the first 5000 names',
  params: idParams,
  data: version.extend({ diff: z.array(priceChange) }),
});

export const listPriceDrafts = endpoint({
  method: 'GET',
  path: '/api/price_book/draft',
  access: 'admin',
  owner: 'none',
  summary: 'Changes of prices that are not published, newest first',
  data: z.array(draftHead),
});

export const readPriceDraft = endpoint({
  method: 'GET',
  path: '/api/price_book/draft/:id',
  access: 'admin',
  owner: 'none',
  summary: 'A draft: what it would change now, and what was changed since it was made',
  params: idParams,
  data: draftHead.extend({
    /** Another one after every change of the entries or the reason. */
    edition: z.string(),
    /** The version that counts now. */
    current: z.number(),
    /** Whether prices need a second person: publishing then asks for an approval. */
    needs_approval: z.boolean(),
    /** Settings that it changes too. */
    settings: z.array(settingChange),
    /** The version that it brings back, and whether the schedules of other drafts end with that. */
    restoring: z.object({ version: z.number(), ends_schedules: z.boolean() }).nullable(),
    diff: z.array(priceChange),
    changed_since: z.array(priceChange),
  }),
});

export const createPriceDraft = endpoint({
  method: 'POST',
  path: '/api/price_book/draft',
  access: 'admin',
  owner: 'none',
  summary: 'Store a draft of a price change; it changes no charge',
  body: z.strictObject({ reason: trimmed(PRICE_REASON_MAX_LENGTH).default(''), entries: priceEntries }),
  bodyMaxValues: PRICE_ENTRIES_MAX_VALUES,
  data: z.object({ id: z.number() }),
});

export const updatePriceDraft = endpoint({
  method: 'PUT',
  path: '/api/price_book/draft/:id',
  access: 'admin',
  owner: 'none',
  summary: 'Change a draft that is not scheduled; `base` accepts the changes made since',
  params: idParams,
  body: z.strictObject({
    reason: trimmed(PRICE_REASON_MAX_LENGTH).optional(),
    entries: priceEntries.optional(),
    base: priceVersionNumber.optional(),
    /** Nothing is changed if others have changed the draft since it was read: the code is `changed_meanwhile`. */
    was: wasRead.optional(),
  }),
  bodyMaxValues: PRICE_ENTRIES_MAX_VALUES,
  data: nothing,
});

export const deletePriceDraft = endpoint({
  method: 'DELETE',
  path: '/api/price_book/draft/:id',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Drop a draft; one that is due is not published',
  params: idParams,
  data: nothing,
});

/** Whether it was published, and if not, why. */
export const priceOutcome = z.object({
  published: z.boolean(),
  /** The version that counts now. */
  version: z.number(),
  changed_since: z.array(priceChange),
  /** The draft that waits for the approval of another admin instead: prices need a second person. */
  draft: z.number().nullable(),
  /** Groups that it would remove although they are in use, and that `remove_groups` does not name: not published. */
  groups_in_use: z.array(
    z.object({
      name: z.string(),
      users: z.number(),
      tokens: z.number(),
      channels: z.number(),
      settings: z.array(z.string()),
    }),
  ),
});

export const publishPriceDraft = endpoint({
  method: 'POST',
  path: '/api/price_book/draft/:id/publish',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary:
    'Publish a draft now, if no price has changed since its base, or at a time; where prices need a second person, ask for an approval',
  params: idParams,
  body: z.strictObject({
    /** The version whose prices the change was looked at beside. */
    base: priceVersionNumber,
    reason,
    /** Unix seconds; now where absent. */
    at: unixSeconds.optional(),
    remove_groups: removeGroups,
    /** Nothing is published if others have changed the draft since it was read: the code is `changed_meanwhile`. */
    was: wasRead.optional(),
  }),
  data: priceOutcome,
});

/** The draft as its approver looked at it: if it is another by now, the code is `changed_meanwhile`. */
const lookedAt = { revision: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) };

export const approvePriceDraft = endpoint({
  method: 'POST',
  path: '/api/price_book/draft/:id/approve',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Approve a draft that waits and that others wrote: it is published, now or at its time',
  params: idParams,
  body: z.strictObject({
    ...lookedAt,
    /** The version whose prices the change was looked at beside. */
    base: priceVersionNumber,
    words: trimmed(PRICE_REASON_MAX_LENGTH).optional(),
    /** Publish it at once although its time has passed. */
    at_once: z.boolean().optional(),
  }),
  data: priceOutcome,
});

export const rejectPriceDraft = endpoint({
  method: 'POST',
  path: '/api/price_book/draft/:id/reject',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Reject a draft that waits for an approval, and say why',
  params: idParams,
  body: z.strictObject({ ...lookedAt, words: trimmed(PRICE_REASON_MAX_LENGTH).min(1) }),
  data: nothing,
});

export const unschedulePriceDraft = endpoint({
  method: 'POST',
  path: '/api/price_book/draft/:id/unschedule',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Cancel the schedule of a draft, or take back the question for its approval',
  params: idParams,
  data: nothing,
});

export const restorePriceVersion = endpoint({
  method: 'POST',
  path: '/api/price_book/version/:id/restore',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Make a new version with the prices of an old one',
  params: idParams,
  body: z.strictObject({
    base: priceVersionNumber,
    reason,
    /** What becomes of drafts that are due later; refused without it where there are any. */
    scheduled: z.enum(['keep', 'cancel']).optional(),
    remove_groups: removeGroups,
  }),
  data: priceOutcome,
});
