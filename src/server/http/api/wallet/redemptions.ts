import type { z } from 'zod';
import { redemptionStatus } from '#contract/codes.ts';
import type * as contract from '#contract/api/wallet/redemptions.ts';
import type { updateRedemption } from '#contract/api/wallet/redemptions.ts';
import type { RedemptionChanges } from '#core/wallet/redemption.ts';
import type { OpenRedemption, Redemptions } from '../../../control/wallet/redemptions.ts';
import { refuse } from '../../../control/refuse.ts';
import type { Handlers } from '../../handler.ts';
import { changedSince } from '../changed-since.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';

/** Redemption codes, for admins. */
export const redemptionHandlers = ({
  redemptions,
}: {
  readonly redemptions: Redemptions;
}): Handlers<typeof contract> => ({
  listRedemptions: async ({ query }) =>
    pageOf(await redemptions.list(pageRequest(query), query.invalid), query, redemptionWire),
  searchRedemptions: async ({ query }) =>
    pageOf(await redemptions.search(query.keyword, pageRequest(query)), query, redemptionWire),
  readRedemption: async ({ params }) => redemptionWire(await redemptions.read(params.id)),
  createRedemptions: async ({ body }, { actor }) => {
    const wish = { name: body.name, quotaUnits: body.quota, expiresAtMs: expiresAtMs(body.expired_time) };
    return [...(await redemptions.create(actor.user, wish, body.count))];
  },
  updateRedemption: async ({ query, body }, { actor }) => {
    const { id, status } = body;
    const changes = changesOf(body);
    if (query.status_only || (status !== undefined && Object.keys(changes).length === 0)) {
      if (status === undefined) throw refuse('nothing_changed');
      return redemptionWire(await redemptions.setStatus(actor.user, id, status));
    }
    const isChanged = (code: OpenRedemption) => changedSince(body, redemptionWire(code));
    // Only unused codes are changed: of all that may be sent, this alone is another status.
    const off = status === redemptionStatus.disabled && ({ isOff: true } as const);
    return redemptionWire(await redemptions.update(actor.user, id, { ...changes, ...off }, isChanged));
  },
  deleteRedemption: async ({ params }, { actor }) => {
    await redemptions.delete(actor.user, params.id);
    return null;
  },
  deleteInvalidRedemptions: (_, { actor }) => redemptions.deleteInvalid(actor.user),
});

/** 0 means never. */
const expiresAtMs = (seconds: number): number | null => (seconds === 0 ? null : seconds * 1000);

const changesOf = (body: z.infer<typeof updateRedemption.body>): RedemptionChanges => ({
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.quota === undefined ? {} : { quotaUnits: body.quota }),
  ...(body.expired_time === undefined ? {} : { expiresAtMs: expiresAtMs(body.expired_time) }),
});

const redemptionWire = (redemption: OpenRedemption) => ({
  id: redemption.id,
  user_id: redemption.userId,
  key: redemption.key,
  status: redemption.status,
  name: redemption.name,
  quota: redemption.quotaUnits,
  created_time: toSeconds(redemption.createdAtMs),
  redeemed_time: toSeconds(redemption.redeemedAtMs ?? 0),
  count: 0,
  used_user_id: redemption.usedUserId,
  used_username: redemption.usedUsername,
  expired_time: toSeconds(redemption.expiresAtMs ?? 0),
});
