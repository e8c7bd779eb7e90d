import { expect, it } from 'vitest';
import { FirstTokenTimes } from '#core/channel/health/first-token-times.ts';
import { ShareWindow } from '#core/channel/health/share-window.ts';
import type { FirstTokenRule } from '#contract/channel/first-token.ts';
import { bytesInMemory } from '#core/limits/spooled-bytes.ts';
import type { Form } from '../../dialects/form/form.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import type { Admitted } from '../stages.ts';
import { heldCall } from '../testing/answered-call.ts';
import { hasteOf } from './haste.ts';

const deps = () => ({ firstTokens: new FirstTokenTimes(), hedges: new ShareWindow(1) });
const callWith = (rule: FirstTokenRule): Admitted => {
  const held = heldCall(openaiChat);
  const options = { ...held.routing.options, 'upstream_setting.first_token': { m: rule } };
  return { ...held, routing: { ...held.routing, options } };
};
const fixed = callWith({ deadline_ms: 2000, hedge: true });
const { request } = fixed;
const form: Form = {
  fields: {},
  files: [],
  parts: [],
  boundary: 'b',
  spooled: bytesInMemory(Buffer.alloc(0)),
};

it('only a stream of a model with a deadline may be hurried', () => {
  expect(hasteOf(deps(), fixed)).toMatchObject({ deadlineMs: 2000, hedges: true });
  expect(hasteOf(deps(), heldCall(openaiChat))).toBeUndefined();
});

it.each<[string, Admitted]>([
  ['is answered whole', { ...fixed, request: { ...request, facts: { ...request.facts, stream: false } } }],
  ['may not be made twice', { ...fixed, canRepeat: false }],
  ['an admin sends to one channel', { ...fixed, caller: { ...fixed.caller, channelId: 1 } }],
  ['is a form', { ...fixed, request: { ...request, form } }],
  ['is a form that still arrives', { ...fixed, lateForm: { whole: Promise.resolve(), request: undefined } }],
])('a call that %s waits', (_, call) => {
  expect(hasteOf(deps(), call)).toBeUndefined();
});

it('races are limited to the configured share of the calls that may race', () => {
  const known = deps();
  const haste = hasteOf(known, fixed);
  expect([haste?.takesHedge(1), haste?.takesHedge(1)]).toEqual([true, false]);
  const begin = (call: Admitted): void => {
    for (let count = 0; count < 100; count += 1) hasteOf(known, call);
  };
  begin(callWith({ deadline_ms: 2000 }));
  expect(haste?.takesHedge(1)).toBe(false);
  begin(fixed);
  expect(haste?.takesHedge(1)).toBe(true);
});

it('at a share of 0 there are no races', () => {
  const options = { ...fixed.routing.options, 'upstream_setting.hedge_percent': 0 };
  const haste = hasteOf(deps(), { ...fixed, routing: { ...fixed.routing, options } });
  expect(haste?.takesHedge(1)).toBe(false);
});

it('other operations than chat go on with one channel at a time', () => {
  const call = { ...fixed.call, operation: 'speech' } as const;
  expect(hasteOf(deps(), { ...fixed, call })?.hedges).toBe(false);
});

it('an automatic deadline is learned only from calls with an automatic deadline', () => {
  const learning = deps();
  const auto = callWith({ deadline_ms: 'auto', factor: 2, least_ms: 1, most_ms: 60_000 });
  expect(hasteOf(learning, auto)?.deadlineMs).toBeUndefined();
  const said = (call: Admitted): void => {
    for (let count = 0; count < 100; count += 1) hasteOf(learning, call)?.answered(300);
  };
  said(fixed);
  expect(hasteOf(learning, auto)?.deadlineMs).toBeUndefined();
  said(auto);
  expect(hasteOf(learning, auto)?.deadlineMs).toBe(600);
});
