import type { z } from 'zod';
import type * as contract from '#contract/api/people/usage-links.ts';
import type { createUsageLink } from '#contract/api/people/usage-links.ts';
import type { UsageLink, UsedCounts } from '#core/token/usage-link-store.ts';
import type { UsageLinks } from '../../../control/people/usage-links.ts';
import type { UserManagement } from '../../../control/people/user-management.ts';
import type { Handlers } from '../../handler.ts';
import { toSeconds } from '../page.ts';

interface UsageLinkHandlerDeps {
  readonly usageLinks: UsageLinks;
  readonly userManagement: Pick<UserManagement, 'read'>;
}

/**
 * Links to the usage of one token: users' own, and for admins those of users of lower rank. Also returns what a link
 * shows.
 */
export const usageLinkHandlers = ({
  usageLinks,
  userManagement,
}: UsageLinkHandlerDeps): Handlers<typeof contract> => ({
  listUsageLinks: async ({ query }, { actor }) =>
    (await usageLinks.list(actor.user, query.token_id)).map(linkWire),
  createUsageLink: async ({ body }, { actor }) =>
    madeWire(await usageLinks.create(actor.user, actor.user, wishOf(body))),
  deleteUsageLink: async ({ params }, { actor }) => {
    await usageLinks.revoke(actor.user, actor.user, params.id);
    return null;
  },
  listUserUsageLinks: async ({ params, query }, { actor }) => {
    const owner = await userManagement.read(actor.user, params.id);
    return (await usageLinks.list(owner, query.token_id)).map(linkWire);
  },
  createUserUsageLink: async ({ params, body }, { actor }) => {
    const owner = await userManagement.read(actor.user, params.id);
    return madeWire(await usageLinks.create(actor.user, owner, wishOf(body)));
  },
  deleteUserUsageLink: async ({ params }, { actor }) => {
    await usageLinks.revoke(actor.user, await userManagement.read(actor.user, params.id), params.link_id);
    return null;
  },
  openUsageLink: async ({ body }) => {
    const { link, token, usage } = await usageLinks.open(body.link);
    return {
      name: token.name,
      status: token.status,
      created_time: toSeconds(token.createdAtMs),
      expired_time: secondsOrNull(token.expiresAtMs),
      used_units: token.usedQuotaUnits,
      remaining_units: token.unlimited ? null : token.remainQuotaUnits,
      days: usage.days.map(({ dayMs, ...counts }) => ({ day: toSeconds(dayMs), ...countsWire(counts) })),
      models: usage.models.map(({ model, ...counts }) => ({ model, ...countsWire(counts) })),
      link_expired_time: secondsOrNull(link.expiresAtMs),
    };
  },
});

const secondsOrNull = (timeMs: number | null): number | null => (timeMs === null ? null : toSeconds(timeMs));

const wishOf = (body: z.infer<typeof createUsageLink.body>) => ({
  tokenId: body.token_id,
  note: body.note,
  expiresAtMs: body.expired_time === null ? null : body.expired_time * 1000,
});

const linkWire = (link: UsageLink) => ({
  id: link.id,
  token_id: link.tokenId,
  note: link.note,
  created_time: toSeconds(link.createdAtMs),
  by_admin: link.createdBy !== link.userId,
  expired_time: secondsOrNull(link.expiresAtMs),
  opened_time: secondsOrNull(link.openedAtMs),
});

const madeWire = ({ open, ...link }: UsageLink & { readonly open: string }) => ({
  ...linkWire(link),
  link: open,
});

const countsWire = ({ calls, promptTokens, completionTokens, units }: UsedCounts) => ({
  calls,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  units,
});
