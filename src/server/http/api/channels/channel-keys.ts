import type { z } from 'zod';
import type * as contract from '#contract/api/channels/channel-keys.ts';
import type { Language } from '#contract/messages.ts';
import type { ChannelKeyFilter, ChannelKeyRow } from '#core/channel/keys/channel-key-store.ts';
import { parseKeyLimits } from '#core/channel/keys/parse-key.ts';
import { type KeyStatus, keyStatuses } from '#core/channel/keys/pool.ts';
import { shownText } from '#core/log/shown-phrase.ts';
import type { ChannelKeys, KeyEdit } from '../../../control/channels/keys/channel-keys.ts';
import { shownProxy } from '../../../control/channels/channel-proxy.ts';
import type { KeyTests } from '../../../control/channels/keys/key-tests.ts';
import type { PoolKeys } from '../../../control/channels/keys/pool-keys.ts';
import type { Handlers } from '../../handler.ts';
import { changedSince } from '../changed-since.ts';
import { roundWire } from './channel-checks.ts';
import { testAnswer } from './channel-test-wire.ts';
import { keyMark } from './channel-wire.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';

interface ChannelKeyHandlerDeps {
  readonly channelKeys: ChannelKeys;
  readonly poolKeys: PoolKeys;
  readonly keyTests: KeyTests;
}

/** The keys of channels that have several, for admins. */
export const channelKeyHandlers = ({
  channelKeys,
  poolKeys,
  keyTests,
}: ChannelKeyHandlerDeps): Handlers<typeof contract> => ({
  listKeys: async ({ params, query }, { language }) => {
    const { mode, counts, ...found } = await poolKeys.list(params.id, filterOf(query), pageRequest(query));
    return { ...pageOf(found, query, (row) => keyWire(row, language)), mode, counts: countsOf(counts) };
  },
  previewKeys: async ({ params, body }) => {
    const { elsewhere, ...preview } = await poolKeys.preview(params.id, body.keys);
    return {
      ...preview,
      elsewhere: [...elsewhere].map(([channelId, keys]) => ({ channel_id: channelId, keys })),
    };
  },
  addKeys: async ({ params, body: { keys, label, weight } }, { actor }) => ({
    added: await channelKeys.add(actor.user, params.id, keys, {
      ...(label !== undefined && { label }),
      ...(weight !== undefined && { weight }),
    }),
  }),
  updateKey: async ({ params, body }, { actor, language }) =>
    keyWire(
      await channelKeys.edit(actor.user, [params.id, params.key_id], editOf(body), (row) =>
        changedSince(body, keyWire(row, language)),
      ),
      language,
    ),
  switchKeys: async ({ params, body: { to, ...which } }, { actor }) => ({
    ids: [...(await channelKeys.switchAll(actor.user, params.id, filterOf(which), to === 'enabled'))],
  }),
  deleteKeys: async ({ params, body }, { actor }) => ({
    deleted: await channelKeys.remove(actor.user, params.id, filterOf(body)),
  }),
  setPoolMode: async ({ params, body }, { actor }) => {
    await channelKeys.setMode(actor.user, params.id, body.mode);
    return null;
  },
  testKey: async ({ params, query, body }, { actor }) => {
    const wish = { model: body.model.trim(), stream: query.stream };
    return testAnswer(await keyTests.test(actor.user, params.id, params.key_id, wish));
  },
  testAllKeys: async ({ params, query }, { actor }) => {
    await keyTests.testAll(actor.user, params.id, filterOf(query));
    return null;
  },
  readKeyRound: async () => {
    const state = keyTests.state();
    const round = roundWire(state);
    return state === undefined || round === null ? null : { ...round, channel_id: state.channelId };
  },
  stopKeyRound: async () => {
    await keyTests.stop();
    return null;
  },
});

interface KeyQuery {
  readonly ids?: readonly number[] | undefined;
  readonly status?: KeyStatus | undefined;
  readonly keyword?: string | undefined;
}

const filterOf = ({ ids, status, keyword = '' }: KeyQuery): ChannelKeyFilter => ({
  ids,
  status,
  keyword: keyword.trim(),
});

const keyWire = (row: ChannelKeyRow, language: Language): z.infer<typeof contract.channelKey> => {
  const limits = parseKeyLimits(row.limits);
  return {
    id: row.id,
    label: row.label,
    tail: row.tail,
    key_mark: keyMark(row),
    status: row.status,
    reason: shownText(row.reason, language),
    until_time: toSeconds(row.untilMs),
    proxy: shownProxy(row),
    weight: row.weight,
    calls_per_minute: limits.callsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent: limits.concurrent,
    calls_per_day: limits.callsPerDay,
    used_quota: row.usedQuotaUnits,
    created_time: toSeconds(row.createdAtMs),
    changed_time: toSeconds(row.changedAtMs),
    test_time: toSeconds(row.testedAtMs),
  };
};

const countsOf = (counts: ReadonlyMap<KeyStatus, number>) =>
  Object.fromEntries(keyStatuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
    KeyStatus,
    number
  >;

const editOf = (body: z.infer<typeof contract.updateKey.body>): KeyEdit => {
  const limits = {
    ...(body.calls_per_minute !== undefined && { callsPerMinute: body.calls_per_minute }),
    ...(body.tokens_per_minute !== undefined && { tokensPerMinute: body.tokens_per_minute }),
    ...(body.concurrent !== undefined && { concurrent: body.concurrent }),
    ...(body.calls_per_day !== undefined && { callsPerDay: body.calls_per_day }),
  };
  return {
    ...(body.label !== undefined && { label: body.label }),
    ...(body.weight !== undefined && { weight: body.weight }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(body.proxy !== undefined && { proxy: body.proxy }),
    ...((body.status === 'enabled' || body.status === 'off') && { isOn: body.status === 'enabled' }),
    ...(body.key && { key: body.key }),
  };
};
