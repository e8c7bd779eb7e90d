import type * as contract from '#contract/api/channels/attention.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { keyName } from '#core/channel/keys/pool.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { mayApprove } from '#core/price-book/approval.ts';
import type { DraftHead, PriceBookStore } from '#core/price-book/price-book-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { modelPricePage } from '../../../control/wallet/model-prices.ts';
import type { Handlers } from '../../handler.ts';
import { switchedOff } from './channel-wire.ts';
import { toSeconds } from '../page.ts';

interface AttentionDeps {
  readonly channelRows: Pick<ChannelStore, 'page'>;
  readonly channelKeys: Pick<ChannelKeyStore, 'needingHand'>;
  readonly users: Pick<UserStore, 'withLittleQuota'>;
  readonly priceBook: Pick<PriceBookStore, 'drafts'>;
  readonly routing: () => Routing;
}

const SHOWN = 5;

/** Whether an admin can do something about a draft: approve it, or change what another one rejected. */
const concerns = ({ state, writers }: DraftHead, adminId: number): boolean => {
  if (state === 'asked') return mayApprove(adminId, writers);
  return state !== 'rejected' || writers.some(({ id }) => id === adminId);
};

/** What needs an admin's attention. */
export const attentionHandlers = ({
  channelRows,
  channelKeys,
  users,
  priceBook,
  routing,
}: AttentionDeps): Handlers<typeof contract> => ({
  readAttention: async (_input, { language, actor }) => {
    const { options } = routing();
    const first = { page: 1, pageSize: SHOWN };
    const [channels, keys, spent, drafts] = await Promise.all([
      channelRows.page({ status: 'auto', sortById: true }, first),
      channelKeys.needingHand(SHOWN),
      users.withLittleQuota(Math.max(1, options.PreConsumedQuota), SHOWN),
      priceBook.drafts(),
    ]);
    const unpriced = modelPricePage(routing(), { ...first, keyword: '', origin: 'unset', group: '' });
    const missed = drafts.flatMap((draft) => {
      const { id, reason, state } = draft;
      return state !== 'open' && state !== 'due' && concerns(draft, actor.user.id)
        ? [{ id, reason, state }]
        : [];
    });
    return {
      channels: {
        total: channels.total,
        items: channels.items.map((row) => ({
          id: row.id,
          name: row.name,
          ...switchedOff(row, language),
        })),
      },
      keys: {
        total: keys.total,
        items: keys.keys.map((key) => ({
          id: key.id,
          channel_id: key.channelId,
          channel: key.channelName,
          name: keyName(key),
          status: key.status === 'spent' ? ('spent' as const) : ('revoked' as const),
          reason: key.reason,
          changed_time: toSeconds(key.changedAtMs),
        })),
      },
      // If only the operator calls, models without a price can be called nevertheless.
      models: options.SelfUseModeEnabled
        ? { total: 0, items: [] }
        : { total: unpriced.total, items: unpriced.items.map(({ model }) => model) },
      users: {
        total: spent.total,
        items: spent.items.map(({ id, username, quotaUnits }) => ({ id, username, quota: quotaUnits })),
      },
      prices: { total: missed.length, items: missed.slice(0, SHOWN) },
    };
  },
});
