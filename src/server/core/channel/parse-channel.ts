import { z } from 'zod';
import type { ChannelCapacity } from '#contract/channel/channel-capacity.ts';
import { channelType } from '#contract/channel-types.ts';
import { type MessageKey, say } from '#contract/messages.ts';
import { parsed } from '#contract/json-text.ts';
import { commaList } from '#contract/text.ts';
import { timeLimits } from '#contract/channel/time-limits.ts';
import { AppError } from '../error.ts';
import {
  type OpenProxyPassword,
  type OutboundProxy,
  parseProxy,
  PROXY_PASSWORD,
} from '../outbound/outbound-proxy.ts';
import { Secret } from '../secrets/secret.ts';
import type { Channel, ChannelRow, ChannelSetting } from './channel.ts';
import { settingSchema } from './channel-setting.ts';
import { overrideOf } from './overrides/override.ts';
import { mappingProblem } from '#contract/channel/model-mapping.ts';
import { withBoundedNumbers } from '#contract/channel/override-fields.ts';
import { canRecover } from './keys/key-state.ts';
import type { PoolKey } from './keys/pool.ts';
import type { ChannelOpeners, ReadChannel } from './routing.ts';
import { withoutEnd } from '#contract/without-end.ts';

const statusCode = z.coerce.number().int().min(400).max(599);
const textMapSchema = z.record(z.string(), z.string());
const statusMapSchema = z.record(z.string(), z.union([z.string(), z.number()]));
const objectSchema = z.record(z.string(), z.unknown());

const read = <Value>(schema: z.ZodType<Value>, text: string, empty: Value, field: string): Value => {
  if (text.trim() === '') return empty;
  const result = schema.safeParse(parsed(text));
  if (!result.success) throw new TypeError(`${field} does not read`);
  return result.data;
};

/** An error shown to the operator on entry, in their language. */
const refusal = (reason: MessageKey): AppError => new AppError('refused', say(reason, 'en'), { reason });

const setting = (text: string, openPassword: OpenProxyPassword): ChannelSetting => {
  const result = settingSchema.safeParse(text.trim() === '' ? {} : parsed(text));
  if (!result.success) throw refusal('channel_setting_bad');
  const given = result.data;
  const proxy = given.proxy ? proxyOf(given.proxy, given[PROXY_PASSWORD], openPassword) : undefined;
  return {
    // Drops the fields that are not limits.
    limits: timeLimits.parse(given),
    ...(given.system_prompt === undefined ? {} : { systemPrompt: given.system_prompt }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(given.capacity !== undefined && capacityOf(given.capacity)),
    ...(given.cost !== undefined && { cost: given.cost }),
    ...(given.overrides !== undefined && { overrides: given.overrides.map(overrideOf) }),
    ...(given.pass_through_body_enabled === true && { passesBody: true }),
  };
};

const capacityOf = (given: ChannelCapacity): Pick<ChannelSetting, 'capacity'> => {
  const { calls_per_minute: callsPerMinute = 0, tokens_per_minute: tokensPerMinute = 0 } = given;
  const { concurrent_calls: concurrent = 0, calls_per_day: callsPerDay = 0 } = given;
  const limits = { callsPerMinute, tokensPerMinute, concurrent, callsPerDay };
  const isLimited = Object.values(limits).some((limit) => limit > 0);
  const { queue_calls: queueCalls, queue_wait_ms: queueWaitMs } = given;
  if (!isLimited && queueCalls === undefined && queueWaitMs === undefined) return {};
  return {
    capacity: {
      limits: isLimited ? limits : undefined,
      ...(queueCalls !== undefined && { queueCalls }),
      ...(queueWaitMs !== undefined && { queueWaitMs }),
    },
  };
};

const proxyOf = (text: string, sealed: string | undefined, open: OpenProxyPassword): OutboundProxy => {
  const proxy = parseProxy(text);
  if (proxy === undefined) throw refusal('channel_proxy_bad');
  return sealed === undefined ? proxy : { ...proxy, password: new Secret(open(sealed, proxy.address)) };
};

const statusCodeMapping = (text: string): Map<number, number> => {
  const mapping = new Map<number, number>();
  for (const [from, to] of Object.entries(read(statusMapSchema, text, {}, 'status code mapping'))) {
    const source = statusCode.safeParse(from);
    const target = statusCode.safeParse(to);
    if (!source.success || !target.success) throw refusal('channel_status_codes');
    mapping.set(source.data, target.data);
  }
  return mapping;
};

/** Names of models lose the blanks around them, as where a channel lists them. */
export const withoutBlanks = (typed: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(Object.entries(typed).map(([model, target]) => [model.trim(), target.trim()]));

const modelMapping = (text: string): Map<string, string> => {
  const mapping = withoutBlanks(read(textMapSchema, text, {}, 'model mapping'));
  const problem = mappingProblem(mapping);
  if (problem?.kind === 'circle')
    throw new TypeError(`the model mapping goes in a circle at ${problem.model}`);
  return mapping;
};

/** Parses a row once, so that calls need not. Throws a sentence that says what is wrong. */
export const parseChannel = (
  row: ChannelRow,
  openKey: (row: ChannelRow) => Secret,
  openProxyPassword: OpenProxyPassword,
  pool: readonly PoolKey[] = [],
): Channel => {
  if (channelType(row.type) === undefined) throw new TypeError(`unknown channel type ${String(row.type)}`);
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    // Code that asks for no particular key gets the first usable one.
    key: (pool.find(({ state }) => canRecover(state)) ?? pool[0])?.key ?? openKey(row),
    keyId: 0,
    keyName: '',
    pool,
    poolMode: row.poolMode,
    organization: row.organization,
    baseUrl: withoutEnd(row.baseUrl, '/'),
    other: row.other,
    models: commaList(row.models),
    groups: commaList(row.groups),
    modelMapping: modelMapping(row.modelMapping),
    statusCodeMapping: statusCodeMapping(row.statusCodeMapping),
    setting: setting(row.setting, openProxyPassword),
    paramOverride: withBoundedNumbers(read(objectSchema, row.paramOverride, {}, 'parameter override')),
    testModel: row.testModel,
    maxInputTokens: row.maxInputTokens,
    priority: row.priority,
    weight: Math.max(0, row.weight),
    autoDisable: row.autoDisable,
    tag: row.tag,
  };
};

/** A row's channel, or why it cannot be used: one bad row never stops the others. */
export const readChannel = (
  row: ChannelRow,
  { openKey, openProxyPassword }: ChannelOpeners,
  pool?: readonly PoolKey[],
): ReadChannel => {
  try {
    return parseChannel(row, openKey, openProxyPassword, pool);
  } catch (thrown) {
    return {
      id: row.id,
      name: row.name,
      reason: thrown instanceof Error ? thrown.message : 'does not read',
      models: commaList(row.models),
      groups: commaList(row.groups),
    };
  }
};
