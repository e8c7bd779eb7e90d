import { initialOptions } from '#contract/options.ts';
import { patienceFor } from '#core/channel/health/patience.ts';
import type { Routing } from '#core/channel/routing.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { priceFrom } from '#core/quota/price.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import type { Fields } from '#core/json/fields.ts';
import { factorsOf } from '#core/quota/testing/price-factors.ts';
import { userOf } from '#core/user/testing/user.ts';
import type { Dialect, Wire } from '../../dialects/dialect.ts';
import { Live } from '../live.ts';
import { LiveAttempt } from '../live-attempt.ts';
import { newMeter } from '../bill/meter.ts';
import { noReply, type RelayCall, type Reply } from '../calls.ts';
import type { CallerRequest } from '../request/request.ts';
import type { Answered, Held } from '../stages.ts';
import { Translations } from '../request/translations.ts';
import type { Destination } from '../destination.ts';

const routing: Routing = {
  version: 1,
  priceVersion: 1,
  options: initialOptions,
  catalogue: { find: () => undefined },
  channels: new Map(),
  bad: [],
  tiers: new Map(),
  byModel: new Map(),
};

const price = priceFrom(factorsOf(), initialOptions.QuotaPerUnit);

/** A minimal request for model `m`, with these fields in its body. */
export const requestOf = (fields: Fields = {}): CallerRequest => ({
  facts: {
    model: 'm',
    stream: true,
    maxOutputTokens: undefined,
    choices: 1,
    inputTokensEstimate: 10,
    wantsStreamUsage: false,
  },
  bytes: Buffer.from('{}'),
  body: fields,
  fields,
  changed: false,
  modelInPath: false,
  hasForeignSignatures: false,
  group: '',
});

/** A minimal call of model `m` with an open hold. */
export const heldCall = (wire: Wire | Dialect, reply: Partial<Reply> = {}): Held => {
  const call: RelayCall = {
    operation: 'chat',
    dialect: 'openai-chat',
    headers: {},
    queryKey: undefined,
    pathModel: undefined,
    pathStream: undefined,
    framing: 'events',
    playground: false,
    requestId: 'r',
    ip: '192.0.2.1',
    path: '/v1/chat/completions',
    reply: { ...noReply, ...reply },
    readBody: () => Promise.resolve(Buffer.from('{}')),
    readForm: () => Promise.reject(new Error('no form')),
  };
  const request = requestOf();
  const live = new Live(call, 0);
  live.meter = newMeter();
  live.holdState = 'open';
  return {
    call,
    wire,
    routing,
    createdAtMs: 1000,
    startedMs: 1,
    isSideCall: false,
    live,
    caller: { user: userOf(), token: undefined, channelId: undefined },
    request,
    translations: new Translations(wire, request),
    group: 'default',
    omitsTools: false,
    stripsTerms: false,
    continuation: undefined,
    session: undefined,
    canRepeat: true,
    lateForm: undefined,
    price,
    heldUnits: 100,
    outputLimit: undefined,
    pictures: undefined,
  };
};

/** The same call, answered by a channel with this format and key. */
export const answeredCall = (held: Held, format: Dialect, secret: string): Answered => {
  const channel = channelOf(1);
  const sentAs = {
    upstreamModel: held.request.facts.model,
    format,
    patience: patienceFor(undefined, undefined, { stream: true, canRepeat: true }),
    effort: undefined,
    terms: undefined,
  };
  const destination: Destination = {
    decision: { channel, group: held.group, coolingTaken: false, leftOut: [] },
    channel,
    upstream: { dialect: format, offers: { chat: {} }, address: () => ({ url: '', headers: {} }) },
    secrets: new Secrets([secret]),
    sentAs,
  };
  held.live.attempt = new LiveAttempt(destination, 0);
  const meter = held.live.meter;
  return {
    ...held,
    ...destination,
    ...sentAs,
    reply: {
      status: 200,
      headers: {},
      body: { async *[Symbol.asyncIterator]() {}, discard: () => undefined },
    },
    answer: { kind: 'whole', status: 200, bytes: Buffer.from('{}'), body: {}, meter },
    checkReply: undefined,
  };
};
