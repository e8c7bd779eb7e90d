import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import type { ChannelKeyRow, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import {
  afterAnswer,
  afterRefusal,
  isDue,
  canRecover,
  KEY_TRIAL_MS,
  type KeyNews,
  type KeyRefusal,
} from '#core/channel/keys/key-state.ts';
import { keyName, type KeyState, keyStatuses } from '#core/channel/keys/pool.ts';
import type { Clock } from '#core/clock.ts';
import { parsedFields } from '#core/json/fields.ts';
import { phraseOf, shownText } from '#core/log/shown-phrase.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { Log } from '#core/logging.ts';
import { MOST_AHEAD_MS } from '#core/time/steady-time.ts';
import { channelStatus } from '#contract/codes.ts';
import type { ChannelNotices } from '../channel-notices.ts';

interface KeyCareDeps {
  readonly channels: Pick<ChannelStore, 'autoDisable' | 'byId'>;
  readonly channelBatch: Pick<ChannelBatchStore, 'autoEnable'>;
  readonly channelKeys: Pick<
    ChannelKeyStore,
    'byId' | 'change' | 'counts' | 'twins' | 'loneTwins' | 'loneKey'
  >;
  readonly notices: Pick<ChannelNotices, 'tell' | 'tellKey'>;
  /** Disables a channel and notifies the admins. */
  readonly autoDisable: (channelId: number, reason: string) => void;
  /** Makes calls of all relays and nodes avoid a channel for a while; then one tries it. */
  readonly restChannel: (channelId: number, forMs: number) => void;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

export type KeyCare = ReturnType<typeof createKeyCare>;

/** The reason of a channel that was disabled because it has no usable key. It is enabled again once it has one. */
const NO_KEY_LEFT = storedPhrase('channel_no_key_left');

/**
 * How long a channel is avoided if its only key ran out of money or rate in another channel and no time was named.
 */
const LONE_REST_MS = 5 * 60_000;

/**
 * The least time between two reports of the same refusal of a channel's only key. Such a refusal is not stored, and
 * each report searches all channels for the key.
 */
const LONE_AGAIN_MS = 10_000;

/** Whether the same refusal of a channel's only key was reported a moment ago. */
const recentlyTold = (clock: Pick<Clock, 'monotonic'>) => {
  const atMs = new Map<string, number>();
  return ({ channelId, refusal: { verdict } }: KeyNews): boolean => {
    const news = `${channelId} ${verdict}`;
    const nowMs = clock.monotonic();
    if (nowMs - (atMs.get(news) ?? -Infinity) < LONE_AGAIN_MS) return true;
    atMs.set(news, nowMs);
    return false;
  };
};

/** Tracks the state of keys, as calls and tests find it. */
export const createKeyCare = (deps: KeyCareDeps) => {
  const { channelKeys, clock, log } = deps;
  /** Only one change per key at a time: simultaneous reports from many calls count as one. */
  const busy = new Set<number>();
  const isToldAgain = recentlyTold(clock);

  /** A key with its row in the pool; the only key of a channel (`keyId` 0) has no row. */
  const keyOf = async (channelId: number, keyId: number) => {
    if (keyId === 0) return { row: undefined, key: await channelKeys.loneKey(channelId) };
    const row = await channelKeys.byId(channelId, keyId);
    return { row, key: row };
  };

  const refused = async ({ channelId, keyId, ...news }: KeyNews): Promise<void> => {
    const { row, key } = await keyOf(channelId, keyId);
    if (key === undefined) return;
    const isNew = row === undefined || (await refuse(deps, row, news));
    const { refusal } = news;
    // A missing permission may depend on the channel. That a key is revoked, out of money or over its limit does not.
    if (refusal.verdict === 'denied') return;
    for (const twin of await channelKeys.twins(key)) {
      const channel = await deps.channels.byId(twin.channelId);
      const mayDisable = refusal.mayDisable && channel?.autoDisable === true;
      await refuse(deps, twin, { ...news, refusal: { ...refusal, mayDisable } });
    }
    if (isNew)
      for (const id of await channelKeys.loneTwins(key)) await refuseLone(deps, id, channelId, refusal);
  };

  const work = async (row: ChannelKeyRow): Promise<void> => {
    const after = afterAnswer(row);
    if (after !== undefined && (await keep(deps, row, after))) await followKeys(deps, row.channelId);
  };

  const works = async (channelId: number, keyId: number): Promise<void> => {
    const { row, key } = await keyOf(channelId, keyId);
    if (key === undefined) return;
    if (row !== undefined) await work(row);
    for (const twin of await channelKeys.twins(key)) await work(twin);
    for (const id of await channelKeys.loneTwins(key)) await enableAgain(deps, id, isRefusedElsewhere);
  };

  /** @param keyId below 0 for the only key of a channel */
  const alone = (keyId: number, run: () => Promise<void>): void => {
    if (busy.has(keyId)) return;
    busy.add(keyId);
    run()
      .catch((error: unknown) => log.error('the state of a key could not be stored', { key: keyId, error }))
      .finally(() => busy.delete(keyId));
  };

  return {
    /** What the relay reports. */
    forRelay: {
      keyRefused: (news: KeyNews): void => {
        if (news.keyId !== 0) alone(news.keyId, () => refused(news));
        else if (!isToldAgain(news)) alone(-news.channelId, () => refused(news));
      },
      keyWorks: (channelId: number, keyId: number): void => alone(keyId, () => works(channelId, keyId)),
      takeKeyTrial: async (channelId: number, keyId: number): Promise<boolean> => {
        const row = await channelKeys.byId(channelId, keyId);
        if (row === undefined || !isDue(row, clock.now())) return false;
        const only = { status: row.status, untilMs: row.untilMs };
        const untilMs = clock.now() + KEY_TRIAL_MS;
        return (await channelKeys.change(channelId, keyId, { untilMs }, only)) === 'changed';
      },
    },
    /** The same for a test, awaiting the result. */
    refused,
    works,
    /** Disables a channel that has no usable key left, and enables it again once it has one. */
    follow: (channelId: number): Promise<void> => followKeys(deps, channelId),
  };
};

/** @returns whether the key's state has changed */
const refuse = async (
  deps: KeyCareDeps,
  row: ChannelKeyRow,
  { sinceMs, refusal }: Omit<KeyNews, 'channelId' | 'keyId'>,
) => {
  const isOfNow = row.changedAtMs <= deps.clock.now() + MOST_AHEAD_MS;
  // The key was replaced or switched after that call began. A change of a later time is from before the clock was set back.
  if (row.changedAtMs > sinceMs && isOfNow) return false;
  const after = afterRefusal(row, refusal, deps.clock.now());
  if (after === undefined || !(await keep(deps, row, after))) return false;
  if (canRecover(after)) return true;
  const channel = await deps.channels.byId(row.channelId);
  if (channel !== undefined) deps.notices.tellKey(channel, keyName(row), phraseOf(after.reason));
  await followKeys(deps, row.channelId);
  return true;
};

/** Writes a key's new state, unless it has changed meanwhile. @returns whether it did */
const keep = async (
  { channelKeys, refreshRouting, clock, log }: KeyCareDeps,
  row: ChannelKeyRow,
  after: KeyState,
): Promise<boolean> => {
  const only = { status: row.status, untilMs: row.untilMs };
  const changes = { ...after, changedAtMs: clock.now() };
  if ((await channelKeys.change(row.channelId, row.id, changes, only)) !== 'changed') return false;
  log.warn('the state of a key has changed', {
    channel: row.channelId,
    key: row.id,
    state: after.status,
    reason: shownText(after.reason, 'en'),
  });
  await refreshRouting();
  return true;
};

/** A channel's only key was refused in another channel. */
const refuseLone = async (
  { channels, autoDisable, restChannel }: KeyCareDeps,
  channelId: number,
  elsewhereId: number,
  { verdict, isLasting, mayDisable, reason, retryAfterSeconds }: KeyRefusal,
): Promise<void> => {
  const channel = await channels.byId(channelId);
  if (channel?.status !== channelStatus.enabled) return;
  if ((verdict === 'revoked' || isLasting) && mayDisable && channel.autoDisable)
    autoDisable(channelId, storedPhrase('channel_key_refused_elsewhere', { id: elsewhereId, reason }));
  else restChannel(channelId, retryAfterSeconds === undefined ? LONE_REST_MS : retryAfterSeconds * 1000);
};

const isRefusedElsewhere = (reason: string): boolean => {
  const phrase = phraseOf(reason);
  return typeof phrase !== 'string' && phrase.key === 'channel_key_refused_elsewhere';
};

/** Enables a channel that was disabled for this reason. @returns whether it was */
const enableAgain = async (
  { channels, channelBatch, notices, refreshRouting }: KeyCareDeps,
  channelId: number,
  isReason: (reason: string) => boolean,
): Promise<boolean> => {
  const channel = await channels.byId(channelId);
  if (channel?.status !== channelStatus.autoDisabled) return false;
  const reason = parsedFields(channel.otherInfo)?.['status_reason'];
  if (typeof reason !== 'string' || !isReason(reason)) return false;
  if (!(await channelBatch.autoEnable(channelId))) return false;
  await refreshRouting();
  notices.tell('enabled', channel, '');
  return true;
};

const followKeys = async (deps: KeyCareDeps, channelId: number): Promise<void> => {
  // Runs a second time because a key may change in between.
  for (let look = 0; look < 2; look += 1) if (!(await followOnce(deps, channelId))) return;
};

/** @returns whether the channel was switched */
const followOnce = async (deps: KeyCareDeps, channelId: number): Promise<boolean> => {
  const { channels, channelKeys, notices, refreshRouting, clock } = deps;
  const counts = await channelKeys.counts(channelId);
  const channel = await channels.byId(channelId);
  if (channel === undefined || counts.size === 0) return false;
  const hasKey = keyStatuses.some((status) => canRecover({ status }) && (counts.get(status) ?? 0) > 0);
  if (!hasKey) {
    if (!(await channels.autoDisable(channelId, NO_KEY_LEFT, clock.now()))) return false;
    await refreshRouting();
    notices.tell('disabled', channel, phraseOf(NO_KEY_LEFT));
    return true;
  }
  return enableAgain(deps, channelId, (reason) => reason === NO_KEY_LEFT);
};
