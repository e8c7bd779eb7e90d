import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import type { KeyNews } from '#core/channel/keys/key-state.ts';
import { keyVerdict } from '#core/channel/keys/key-verdict.ts';
import { disableReason } from '#core/channel/health/blame.ts';
import type { ChannelKeyFilter, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { keyById, keyName } from '#core/channel/keys/pool.ts';
import type { Routing } from '#core/channel/routing.ts';
import { seatOf } from '#core/channel/seats/seat.ts';
import type { TestOutcome } from '#core/channel/health/test-verdict.ts';
import type { Clock } from '#core/clock.ts';
import type { AppError } from '#core/error.ts';
import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Tested, TestWish } from '../checks/channel-tests.ts';
import type { KeyCare } from './key-care.ts';
import { keyFilter } from './pool-keys.ts';
import { refuse } from '../../refuse.ts';
import { Round, type RoundState } from '../checks/round.ts';
import type { Upstreams } from '../checks/upstreams.ts';

interface KeyTestDeps {
  readonly routing: () => Routing;
  readonly channelKeys: Pick<ChannelKeyStore, 'change' | 'idsOf'>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly upstreams: Pick<Upstreams, 'test' | 'check' | 'isTestable'>;
  readonly keyCare: Pick<KeyCare, 'works' | 'refused'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How many keys are tested at once: a thousand one after the other would take half an hour. */
const AT_ONCE = 4;

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
     * Tests the keys of a channel that a filter shows, a few at a time; without a status, not those that somebody switched
     * off. Throws `refused` if such a test is already running.
     */
    async testAll(actor: User, channelId: number, which: ChannelKeyFilter): Promise<void> {
      const channel = deps.routing().channels.get(channelId);
      if (channel === undefined) throw refuse('channel_missing');
      if (!deps.upstreams.isTestable(channel)) throw refuse('channel_untestable');
      if (channel.pool.length === 0) throw refuse('channel_keys_single');
      const ids = new Set(await deps.channelKeys.idsOf(channelId, keyFilter(deps.vault, which)));
      const items = channel.pool.filter(
        ({ id, state }) => ids.has(id) && (which.status !== undefined || state.status !== 'off'),
      );
      if (items.length === 0) throw refuse('channel_key_missing');
      const act = async ({ id }: (typeof items)[number]): Promise<boolean> =>
        (await check(actor, seatAt(deps.routing(), channelId, id))).error === undefined;
      if (!round.start({ items, nameOf: keyName, act, atOnce: AT_ONCE }))
        throw refuse('channel_round_running');
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
