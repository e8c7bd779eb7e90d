import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import type { KeyNews } from '#core/channel/key-state.ts';
import { keyVerdict } from '#core/channel/key-verdict.ts';
import { disableReason } from '#core/channel/health.ts';
import type { ChannelKeyStore } from '#core/channel/channel-key-store.ts';
import { keyById, keyName } from '#core/channel/pool.ts';
import type { Routing } from '#core/channel/routing.ts';
import { seatOf } from '#core/channel/seat.ts';
import type { TestOutcome } from '#core/channel/test-verdict.ts';
import type { Clock } from '#core/clock.ts';
import type { AppError } from '#core/error.ts';
import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';
import type { Tested, TestWish } from './channel-tests.ts';
import type { KeyCare } from './key-care.ts';
import { refuse } from '../refuse.ts';
import { Round, type RoundState } from './round.ts';
import type { Upstreams } from './upstreams.ts';

interface KeyTestDeps {
  readonly routing: () => Routing;
  readonly channelKeys: Pick<ChannelKeyStore, 'change'>;
  readonly upstreams: Pick<Upstreams, 'test' | 'check' | 'isTestable'>;
  readonly keyCare: Pick<KeyCare, 'works' | 'refused'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The progress of the last test of all keys of a channel. */
export interface KeyRoundState extends RoundState {
  readonly channelId: number;
}

export type KeyTests = ReturnType<typeof createKeyTests>;

/** Tests of single keys, and of all keys of one channel in the background. */
export const createKeyTests = (deps: KeyTestDeps) => {
  const round = new Round(deps.clock, deps.log);
  let testedId = 0;

  const tested = async (seat: Channel, error: AppError | undefined, sinceMs: number): Promise<void> => {
    const { id, keyId } = seat;
    await deps.channelKeys.change(id, keyId, { testedAtMs: deps.clock.now() });
    if (error === undefined) return deps.keyCare.works(id, keyId);
    const news = refusalBy(deps, seat, sinceMs, error);
    if (news !== undefined) await deps.keyCare.refused(news);
  };

  const check = async (actor: User, seat: Channel): Promise<TestOutcome> => {
    const sinceMs = deps.clock.now();
    const outcome = await deps.upstreams.check(actor, seat);
    await tested(seat, outcome.error, sinceMs);
    return outcome;
  };

  return {
    /**
     * Sends one small request with a key. If it succeeds, the key is used again, unless somebody switched it off by
     * hand.
     */
    async test(actor: User, channelId: number, keyId: number, wish: TestWish): Promise<Tested> {
      const seat = seatAt(deps.routing(), channelId, keyId);
      const sinceMs = deps.clock.now();
      const result = await deps.upstreams.test(actor, seat, wish);
      const { outcome } = result.report;
      await tested(seat, outcome instanceof Error ? outcome : undefined, sinceMs);
      return result;
    },

    check,

    /**
     * Tests every key of a channel that nobody switched off, one after the other. Throws `refused` if such a test is
     * already running.
     */
    testAll(actor: User, channelId: number): void {
      const channel = deps.routing().channels.get(channelId);
      if (channel === undefined) throw refuse('channel_missing');
      if (!deps.upstreams.isTestable(channel)) throw refuse('channel_untestable');
      const items = channel.pool.filter(({ state }) => state.status !== 'off');
      if (items.length === 0) throw refuse('channel_keys_single');
      const act = async ({ id }: (typeof items)[number]): Promise<boolean> =>
        (await check(actor, seatAt(deps.routing(), channelId, id))).error === undefined;
      if (!round.start({ items, nameOf: keyName, act })) throw refuse('channel_round_running');
      testedId = channelId;
    },

    state: (): KeyRoundState | undefined => round.state && { ...round.state, channelId: testedId },
    stop: (): Promise<void> => round.stop(),
  };
};

const seatAt = ({ channels }: Routing, channelId: number, keyId: number): Channel => {
  const channel = channels.get(channelId);
  const key = channel && keyById(channel.pool, keyId);
  if (channel === undefined || key === undefined) throw refuse('channel_key_missing');
  return seatOf(channel, key);
};

/** What a test's error shows about the key; undefined if it is about the upstream. */
const refusalBy = (
  { routing }: KeyTestDeps,
  seat: Channel,
  sinceMs: number,
  error: AppError,
): KeyNews | undefined => {
  const { options } = routing();
  const lasting = disableReason(error, options);
  const verdict = keyVerdict(error) ?? (lasting === undefined ? undefined : 'denied');
  if (verdict === undefined) return undefined;
  const refusal = {
    verdict,
    reason: secretsOf(seat).maskText(lasting ?? error.upstream?.message ?? error.message),
    retryAfterSeconds: error.retryAfterSeconds,
    mayDisable: options.AutomaticDisableChannelEnabled && seat.autoDisable,
    isLasting: lasting !== undefined,
    isTrial: false,
  };
  return { channelId: seat.id, keyId: seat.keyId, sinceMs, refusal };
};
