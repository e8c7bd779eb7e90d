import { expect, test } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Hold, Ledger } from '#core/ledger/ledger.ts';
import type { ModelRateLimiter } from '#core/limits/model-rate-limiter.ts';
import type { Log } from '#core/logging.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { userOf } from '#core/user/testing/user.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import type { Upstream } from '../dialects/upstream.ts';
import { type AdmitDeps, admit } from './admit.ts';
import { ask } from './ask.ts';
import { type HoldDeps, hold } from './bill/hold/hold.ts';
import { settle } from './bill/settle.ts';
import type { AvailabilityBook } from './bill/evidence/availability-book.ts';
import type { EvidenceBook } from './bill/evidence/evidence-book.ts';
import { MoneyQueue } from './bill/hold/money-queue.ts';
import type { KeptResponses } from './kept/kept-responses.ts';
import type { LiveCalls } from './live-calls.ts';
import type { RelayDeps, RelayMetrics } from './ports.ts';
import { FormatGaps } from './request/format-gaps.ts';
import type { SessionAffinity } from './route/session-affinity.ts';
import type { Admitted, Asked, Begun, Held } from './stages.ts';
import { heldCall } from './testing/answered-call.ts';

/** Every step of a call runs from a stage that is written by hand, given only the parts that its type names. */

const format = chatDialects['openai-chat'];
const clock = { now: () => 1000, monotonic: () => 5 };
const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 });

const channel: Channel = channelOf(1, { models: ['m'] });
const usual = heldCall(format);
const routing: Routing = {
  ...usual.routing,
  options: { ...initialOptions, ModelRatio: { m: 1 } },
  channels: new Map([[channel.id, channel]]),
  tiers: new Map([['default', new Map([['m', [{ priority: 0, channels: [channel] }]]])]]),
};

const begun = (): Begun => {
  const { call, wire, createdAtMs, startedMs, isSideCall, live } = heldCall(format);
  live.holdState = 'none';
  const readBody = () => Promise.resolve(Buffer.from(BODY));
  return { call: { ...call, readBody }, wire, routing, createdAtMs, startedMs, isSideCall, live };
};

const asked = (): Asked => {
  const { caller, request, translations } = usual;
  return { ...begun(), caller, request, translations };
};

const admitted = (): Admitted => {
  const { group, omitsTools, stripsTerms, continuation, session, canRepeat, lateForm } = usual;
  return { ...asked(), group, omitsTools, stripsTerms, continuation, session, canRepeat, lateForm };
};

test('ask authenticates the caller and reads the request', async () => {
  const opened: boolean[] = [];
  const { caller, request } = await ask(
    {
      authenticate: () => ({ user: userOf(), token: undefined, channelId: undefined }),
      playgroundUser: () => Promise.reject(new Error('no session')),
      live: standIn<LiveCalls>({ isStopping: false }),
      clock: standIn({}),
      routing: () => routing,
      metrics: standIn<RelayMetrics>({ opened: (isStream) => void opened.push(isStream) }),
    },
    begun(),
  );
  expect([caller.user.id, request.facts.model, request.facts.maxOutputTokens]).toEqual([
    userOf().id,
    'm',
    10,
  ]);
  expect(opened).toEqual([false]);
});

test('ask takes a newer routing, and its moment, for a caller whose group it does not know yet', async () => {
  const newer: Routing = { ...routing, options: { ...routing.options, GroupRatio: { default: 1, gold: 2 } } };
  const asking = (group: string) =>
    ask(
      {
        authenticate: () => ({ user: { ...userOf(), group }, token: undefined, channelId: undefined }),
        playgroundUser: () => Promise.reject(new Error('no session')),
        live: standIn<LiveCalls>({ isStopping: false }),
        clock: { ...clock, now: () => 2000 },
        routing: () => newer,
        metrics: standIn<RelayMetrics>({ opened: () => undefined }),
      },
      begun(),
    );
  expect(await asking('gold')).toMatchObject({ routing: newer, createdAtMs: 2000 });
  expect(await asking('vip')).toMatchObject({ routing, createdAtMs: begun().createdAtMs });
});

test('admit chooses the group that has a channel for the model', async () => {
  const upstream: Upstream = {
    dialect: format,
    offers: { chat: {} },
    address: () => ({ url: '', headers: {} }),
  };
  const deps = standIn<AdmitDeps>({
    modelRates: standIn<ModelRateLimiter>({}),
    clock,
    log: standIn<Log>({}),
    checkWords: () => undefined,
    upstreamOf: () => upstream,
    gaps: new FormatGaps(),
    kept: standIn<KeptResponses>({}),
    affinity: standIn<SessionAffinity>({ sessionOf: () => undefined }),
    availability: standIn<AvailabilityBook>({}),
  });
  expect(await admit(deps, asked())).toMatchObject({ group: 'default', omitsTools: false, canRepeat: true });
});

const metrics = standIn<RelayMetrics>({
  holdOpened: () => undefined,
  holdClosed: () => undefined,
  settled: () => undefined,
  charged: () => undefined,
});

test('hold sets aside what the call may cost, once', async () => {
  const holds: Hold[] = [];
  const ledger = standIn<Ledger>({
    hold: (asking) => {
      holds.push(asking);
      return Promise.resolve('held');
    },
  });
  const { heldUnits, live } = await hold(
    standIn<HoldDeps>({ ledger, metrics, clock, money: new MoneyQueue(clock) }),
    admitted(),
  );
  expect(holds.map(({ id, quotaUnits }) => ({ id, quotaUnits }))).toEqual([
    { id: 'r', quotaUnits: heldUnits },
  ]);
  expect([heldUnits > 0, live.holdState]).toEqual([true, 'open']);
});

test('settle gives back the hold of a call without an answer, once', async () => {
  const voided: string[] = [];
  const held: Held = { ...usual, routing };
  const deps = standIn<Parameters<typeof settle>[0]>({
    clock,
    metrics,
    ledger: standIn<Ledger>({
      void: (id) => {
        voided.push(id);
        return Promise.resolve({
          state: 'closed',
          chargedUnits: 0,
          houseLossUnits: 0,
          userQuotaUnits: 100,
          userHeldUnits: 0,
        });
      },
    }),
    modelRates: standIn<ModelRateLimiter>({}),
    houseCosts: standIn<RelayDeps['houseCosts']>({}),
    log: standIn<Log>({}),
    money: new MoneyQueue(clock),
    evidence: standIn<EvidenceBook>({}),
    availability: standIn<AvailabilityBook>({ note: () => undefined }),
  });
  await settle(deps, held);
  await settle(deps, held);
  expect([voided, held.live.holdState]).toEqual([['r'], 'closed']);
});
