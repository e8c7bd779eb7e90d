import { Secret } from '../../secrets/secret.ts';
import type { Channel, ChannelRow } from '../channel.ts';
import type { PoolKey } from '../keys/pool.ts';

/** Default fields of a test channel, the same in every form. */
const bare = {
  status: 1,
  organization: '',
  baseUrl: '',
  other: '',
  testModel: '',
  maxInputTokens: 0,
  priority: 0,
  weight: 0,
  autoDisable: true,
  tag: null,
};

/** As a form sends it: enabled, type 1, texts as typed. */
export const typedChannel = {
  ...bare,
  remark: '',
  type: 1,
  models: 'gpt-small',
  groups: 'default',
  modelMapping: '',
  statusCodeMapping: '',
  setting: '',
  paramOverride: '',
};

/** A stored channel that serves `m`. */
export const channelRowOf = (id: number, changes: Partial<ChannelRow> = {}): ChannelRow => ({
  ...typedChannel,
  id,
  name: `c${String(id)}`,
  encryptedKey: '',
  models: 'm',
  usedQuotaUnits: 0,
  balanceUsd: 0,
  balanceUpdatedAtMs: 0,
  responseTimeMs: 0,
  testedAtMs: 0,
  createdAtMs: 0,
  otherInfo: '',
  poolMode: 'in_turn',
  keysVersion: 0,
  revision: 0,
  ...changes,
});

/** A channel of a type as its provider gets it, with only the key `secret-key`. */
export const channelOf = (type: number, changes: Partial<Channel> = {}): Channel => ({
  ...bare,
  id: 1,
  type,
  name: 'c',
  key: new Secret('secret-key'),
  keyId: 0,
  keyName: '',
  pool: [],
  poolMode: 'in_turn',
  models: [],
  groups: ['default'],
  modelMapping: new Map(),
  statusCodeMapping: new Map(),
  setting: {},
  paramOverride: {},
  ...changes,
});

/** An enabled key of weight 1 without limits; its text is `key-<id>`. */
export const poolKeyOf = (id: number, changes: Partial<PoolKey> = {}): PoolKey => ({
  id,
  channelId: 7,
  label: '',
  tail: `k${String(id)}`,
  key: new Secret(`key-${String(id)}`),
  state: { status: 'enabled', reason: '', untilMs: 0, rounds: 0 },
  weight: 1,
  limits: { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 },
  proxy: undefined,
  ...changes,
});
