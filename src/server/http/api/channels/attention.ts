import type * as contract from '#contract/api/channels/attention.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { channelStatus } from '#contract/codes.ts';
import type { Clock } from '#core/clock.ts';
import { keyById, keyName } from '#core/channel/keys/pool.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { mayApprove } from '#core/price-book/approval.ts';
import type { DraftHead, PriceBookStore } from '#core/price-book/price-book-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { modelPricePage } from '../../../control/wallet/model-prices.ts';
import type { BlamedSeat } from '../../../relay/route/health/blamed-seats.ts';
import type { ChannelHealth } from '../../../relay/route/health/channel-health.ts';
import { modelNamed } from '../../../relay/route/health/health-node.ts';
import type { Handlers } from '../../handler.ts';
import { switchedOff } from './channel-wire.ts';
import { toSeconds } from '../page.ts';

interface AttentionDeps {
  readonly channelRows: Pick<ChannelStore, 'page'>;
  readonly channelKeys: Pick<ChannelKeyStore, 'needingHand'>;
  readonly users: Pick<UserStore, 'withLittleQuota'>;
  readonly priceBook: Pick<PriceBookStore, 'drafts'>;
  readonly routing: () => Routing;
  readonly health: Pick<ChannelHealth, 'blamed'>;
  readonly clock: Clock;
}

const SHOWN = 5;

/** Whether an admin can do something about a draft: approve it, or change what another one rejected. */
const concerns = ({ state, writers }: DraftHead, adminId: number): boolean => {
  if (state === 'asked') return mayApprove(adminId, writers);
  return state !== 'rejected' || writers.some(({ id }) => id === adminId);
};

/** The seats that refuse what others answer, while they still offer the model. */
const refusingOf = (seats: readonly BlamedSeat[], { channels }: Routing, clock: Clock) => {
  const items = seats.flatMap(({ channelId, keyId, model: name, words, sinceMs }) => {
    const channel = channels.get(channelId);
    const model = modelNamed(name);
    if (channel?.status !== channelStatus.enabled || !channel.models.includes(model)) return [];
    const key = keyById(channel.pool, keyId);
    if (keyId !== 0 && key === undefined) return [];
    const since_time = toSeconds(clock.now() - (clock.monotonic() - sinceMs));
    const of = { key_id: keyId, key: key === undefined ? '' : keyName(key), model };
    return [{ channel_id: channelId, channel: channel.name, ...of, reason: words, since_time }];
  });
  return { total: items.length, items: items.slice(0, SHOWN) };
};

/** What needs an admin's attention. */
export const attentionHandlers = ({
  channelRows,
  channelKeys,
  users,
  priceBook,
  routing,
  health,
  clock,
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
      refusing: refusingOf(health.blamed.list(clock.monotonic()), routing(), clock),
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
