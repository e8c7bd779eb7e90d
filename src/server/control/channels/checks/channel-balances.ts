import { secretsOf } from '#core/channel/channel-secrets.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import type { BalanceReader } from '#core/channel/balance.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import { through } from '#core/outbound/through-proxy.ts';
import { readReply } from './read-reply.ts';
import { refuse, whyOf } from '../../refuse.ts';

const TIMEOUT_MS = 20_000;
const PLACES = 6;

interface BalanceDeps {
  readonly upstreamOf: (channelType: number) => { readonly balance?: BalanceReader } | undefined;
  readonly sender: Pick<Sender, 'send'>;
  readonly channels: Pick<ChannelStore, 'update'>;
  readonly routing: () => Routing;
  readonly clock: Clock;
}

export type Balances = ReturnType<typeof createBalances>;

/** Asks upstreams for their balance, for channel types that report one. */
export const createBalances = (deps: BalanceDeps) => ({
  isKnown: (channel: Channel): boolean => deps.upstreamOf(channel.type)?.balance !== undefined,

  /**
   * Fetches and stores the balance.
   * @returns US dollars; throws `refused` with what went wrong
   */
  async update(channel: Channel): Promise<number> {
    const reader = deps.upstreamOf(channel.type)?.balance;
    if (reader === undefined) throw refuse('channel_balance_none');
    const nowMs = deps.clock.now();
    try {
      const bodies: unknown[] = [];
      const sender = through(deps.sender, channel.setting.proxy);
      for (const { url, headers } of reader.requests(channel, nowMs)) {
        const signal = awakeSignal(TIMEOUT_MS);
        const reply = await readReply(await sender.send({ method: 'GET', url, headers }, signal));
        if (reply.status >= 400) throw new AppError('upstream_failed', `status ${String(reply.status)}`);
        bodies.push(reply.body);
      }
      const asked = reader.read(bodies, deps.routing().options.USDExchangeRate, channel);
      const balanceUsd = Number(asked.toFixed(PLACES));
      await deps.channels.update(channel.id, { balanceUsd, balanceUpdatedAtMs: nowMs });
      return balanceUsd;
    } catch (thrown) {
      const why = whyOf(thrown instanceof TypeError ? thrown : asAppError(thrown));
      const issue = typeof why === 'string' ? secretsOf(channel).maskText(why) : why;
      throw refuse('channel_balance_failed', { issue });
    }
  },
});
