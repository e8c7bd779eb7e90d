import { channelStatus } from '#contract/codes.ts';
import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import { asTried } from '#core/channel/as-tried.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import { testVerdict } from '#core/channel/health/test-verdict.ts';
import type { Clock } from '#core/clock.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';
import type { ChannelNotices } from '../channel-notices.ts';
import type { KeyCare } from '../keys/key-care.ts';
import type { KeyTests } from '../keys/key-tests.ts';
import { canRecover } from '#core/channel/keys/key-state.ts';
import { seatOf } from '#core/channel/seats/seat.ts';
import type { Balances } from './channel-balances.ts';
import { refuse } from '../../refuse.ts';
import { Round, type RoundState } from './round.ts';
import type { Upstreams } from './upstreams.ts';

interface ChannelRoundDeps {
  readonly routing: () => Routing;
  readonly refreshRouting: () => Promise<void>;
  readonly upstreams: Pick<Upstreams, 'check' | 'isTestable'>;
  readonly balances: Balances;
  readonly keyTests: Pick<KeyTests, 'check' | 'stop'>;
  readonly keyCare: Pick<KeyCare, 'works'>;
  readonly channelBatch: Pick<ChannelBatchStore, 'autoEnable'>;
  /** Disables a channel and notifies the admins. */
  readonly autoDisable: (channelId: number, reason: string) => void;
  readonly notices: ChannelNotices;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a round does to all channels, one after the other. */
export type RoundKind = 'test' | 'balance';
export type ChannelRounds = ReturnType<typeof createChannelRounds>;

/** Tests all channels or updates all balances, in the background and one channel at a time. */
export const createChannelRounds = (deps: ChannelRoundDeps) => {
  const rounds: Readonly<Record<RoundKind, Round>> = {
    test: new Round(deps.clock, deps.log),
    balance: new Round(deps.clock, deps.log),
  };

  const judge = async (channel: Channel, actor: User): Promise<boolean> => {
    // For a channel with several keys, one is tested, and only that key is judged by the result.
    const key = channel.pool.find(({ state }) => canRecover(state)) ?? channel.pool[0];
    if (key !== undefined)
      return (await deps.keyTests.check(actor, seatOf(channel, key))).error === undefined;
    const outcome = await deps.upstreams.check(actor, channel);
    const routing = deps.routing();
    const now = asTried(routing, channel);
    if (now === undefined) return outcome.error === undefined;
    const verdict = testVerdict(now, outcome, routing.options);
    if (verdict.action === 'enable' && (await deps.channelBatch.autoEnable(channel.id))) {
      await deps.refreshRouting();
      deps.notices.tell('enabled', channel, '');
      await deps.keyCare.works(channel.id, channel.keyId);
    }
    if (verdict.action === 'disable') deps.autoDisable(channel.id, verdict.reason);
    if (verdict.action === 'disable-slow')
      deps.autoDisable(
        channel.id,
        storedPhrase('channel_too_slow', { seconds: verdict.seconds.toFixed(2), limit: verdict.limit }),
      );
    return outcome.error === undefined;
  };

  const weigh = async (channel: Channel): Promise<boolean> => {
    const balanceUsd = await deps.balances.update(channel);
    const routing = deps.routing();
    const isOn =
      routing.options.AutomaticDisableChannelEnabled && asTried(routing, channel)?.autoDisable === true;
    // With several keys, the others may have balances of their own.
    if (balanceUsd <= 0 && isOn && channel.pool.length === 0)
      deps.autoDisable(channel.id, storedPhrase('channel_balance_gone'));
    return true;
  };

  return {
    state: (kind: RoundKind): RoundState | undefined => rounds[kind].state,
    stop: (kind: RoundKind): Promise<void> => rounds[kind].stop(),

    /**
     * Tests every channel that was not disabled by hand, and enables or disables it by the result. Notifies the admins
     * at the end if `tell` is set. Throws `refused` if a round is already running.
     */
    testAll(actor: User, { tell }: { readonly tell: boolean }): void {
      const finish = async ({ done, failed, isStopped }: RoundState): Promise<void> => {
        if (tell && !isStopped) deps.notices.tellTested(done, failed);
      };
      const isTested = (channel: Channel): boolean =>
        channel.status !== channelStatus.disabled && deps.upstreams.isTestable(channel);
      const round = roundOf(deps, isTested, (channel) => judge(channel, actor));
      if (!rounds.test.start({ ...round, finish })) throw refuse('channel_round_running');
    },

    /**
     * Updates the balance of every enabled channel whose type reports one. Throws `refused` if a round is already
     * running.
     */
    updateBalances(): void {
      const isWeighed = (channel: Channel): boolean =>
        channel.status === channelStatus.enabled && deps.balances.isKnown(channel);
      if (!rounds.balance.start(roundOf(deps, isWeighed, weigh))) throw refuse('channel_balances_running');
    },

    async end(): Promise<void> {
      await Promise.all([rounds.test.stop(), rounds.balance.stop(), deps.keyTests.stop()]);
    },
  };
};

/**
 * The channels of a round. A round may take long, so each channel is used as it is at its turn, and left out if it is
 * gone or disabled by then.
 */
const roundOf = (
  { routing }: Pick<ChannelRoundDeps, 'routing'>,
  isMeant: (channel: Channel) => boolean,
  act: (channel: Channel) => Promise<boolean>,
) => ({
  items: [...routing().channels.values()].filter(isMeant),
  nameOf: ({ id, name }: Channel) => `#${String(id)} ${name}`,
  act: async ({ id }: Channel): Promise<boolean> => {
    const now = routing().channels.get(id);
    return now === undefined || !isMeant(now) || act(now);
  },
});
