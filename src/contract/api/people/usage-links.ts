import { z } from 'zod';
import { bodyId, endpoint, idParams, nothing } from '../../endpoint.ts';
import { SEARCH_MAX_LENGTH, USAGE_LINK_NOTE_MAX } from '../../limits.ts';
import { text, trimmed, unixSeconds } from '../../text.ts';

/** A link that shows one token's usage to whoever has it. The secret that opens it is returned once, when it is made. */
const usageLink = z.object({
  id: z.number(),
  token_id: z.number(),
  note: z.string(),
  created_time: z.number(),
  /** Not made by the token's owner. */
  by_admin: z.boolean(),
  /** Null for never. */
  expired_time: z.number().nullable(),
  /** When it was last opened, to the minute; null if never. */
  opened_time: z.number().nullable(),
});
export type UsageLink = z.infer<typeof usageLink>;

const wish = {
  token_id: bodyId,
  note: trimmed(USAGE_LINK_NOTE_MAX).default(''),
  /** Null for never. */
  expired_time: unixSeconds.nullable().default(null),
};
/** `link` opens it: `/shared-usage#` and this. It is not kept and cannot be read again. */
const made = usageLink.extend({ link: z.string() });

const ofToken = z.object({ token_id: idParams.shape.id });
const linkParams = idParams.extend({ link_id: idParams.shape.id });

export const listUsageLinks = endpoint({
  method: 'GET',
  path: '/api/usage_link',
  access: 'user',
  owner: 'self',
  summary: 'Links that show the usage of one of your tokens, newest first',
  query: ofToken,
  data: z.array(usageLink),
});
export const createUsageLink = endpoint({
  method: 'POST',
  path: '/api/usage_link',
  access: 'user',
  owner: 'self',
  summary: 'Create a link that shows the usage of one of your tokens, and nothing else',
  body: z.strictObject(wish),
  data: made,
});
export const deleteUsageLink = endpoint({
  method: 'DELETE',
  path: '/api/usage_link/:id',
  access: 'user',
  owner: 'self',
  summary: 'Revoke a link to the usage of one of your tokens; it ends at once',
  params: idParams,
  data: nothing,
});
export const listUserUsageLinks = endpoint({
  method: 'GET',
  path: '/api/usage_link/user/:id',
  access: 'admin',
  owner: 'lower-rank',
  summary: "Links that show the usage of a user's token",
  params: idParams,
  query: ofToken,
  data: z.array(usageLink),
});
export const createUserUsageLink = endpoint({
  method: 'POST',
  path: '/api/usage_link/user/:id',
  access: 'admin',
  owner: 'lower-rank',
  summary: "Make a link that shows the usage of a user's token",
  params: idParams,
  body: z.strictObject(wish),
  data: made,
});
export const deleteUserUsageLink = endpoint({
  method: 'DELETE',
  path: '/api/usage_link/user/:id/:link_id',
  access: 'admin',
  owner: 'lower-rank',
  summary: "Revoke a link to the usage of a user's token; it ends at once",
  params: linkParams,
  data: nothing,
});

const used = {
  calls: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  units: z.number(),
};

/** What a link shows: of one token, without its owner, its key, its limits, or any single call. */
export const sharedUsage = z.object({
  name: z.string(),
  /** As of tokens: enabled, disabled, expired, exhausted. */
  status: z.number(),
  created_time: z.number(),
  /** Of the token; null for never. */
  expired_time: z.number().nullable(),
  /** Everything it was ever charged. */
  used_units: z.number(),
  /** Null for a token that only the balance of its account limits. */
  remaining_units: z.number().nullable(),
  /** Of the last 30 days, today among them; days of UTC with calls, oldest first. */
  days: z.array(z.object({ day: z.number(), ...used })),
  models: z.array(z.object({ model: z.string(), ...used })),
  link_expired_time: z.number().nullable(),
});
export type SharedUsage = z.infer<typeof sharedUsage>;

export const openUsageLink = endpoint({
  method: 'POST',
  path: '/api/usage_link/open',
  access: 'public',
  owner: 'none',
  rate: 'link',
  summary: 'What the token of a link has used; the link is in the body, so that it is in no log of addresses',
  body: z.strictObject({ link: text(SEARCH_MAX_LENGTH) }),
  data: sharedUsage,
});
