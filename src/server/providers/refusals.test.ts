import { describe, expect, test } from 'vitest';
import { optionTable } from '#contract/options.ts';
import { disableReason } from '#core/channel/health/blame.ts';
import { AppError } from '#core/error.ts';
import { Secret } from '#core/secrets/secret.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { providerOf } from './registry.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { farEasternRefusals } from './testing/far-eastern-refusals.ts';
import { hostRefusals } from './testing/host-refusals.ts';
import { CAUSES } from './testing/refusal.ts';
import { westernRefusals } from './testing/western-refusals.ts';

/** What upstreams refuse a call with, as each publishes it: what the caller hears, and whether the channel goes off. */

const options = {
  AutomaticDisableChannelEnabled: true,
  AutomaticDisableKeywords: optionTable.AutomaticDisableKeywords.initial,
};

/** Read as the relay does: by the kind's own words where it has some, else by its format; under 200 by the format. */
const read = (type: number, status: number, body: unknown, key = 'k'): AppError => {
  const provider = providerOf(type);
  if (provider === undefined) throw new Error('no provider');
  const format = provider.dialectFor?.('m', channelOf(type, { key: new Secret(key) })) ?? provider.dialect;
  if (status !== 200) return (provider.readError ?? format.readError)(status, body, '7');
  const { error } = format.tapWhole(body);
  if (error === undefined) throw new Error('no error was read');
  return error;
};

const named = [...westernRefusals, ...hostRefusals, ...farEasternRefusals].map(
  ([type, cause, status, body, code, key]) => ({
    type,
    cause,
    status,
    body,
    code: code ?? CAUSES[cause].code,
    disables: CAUSES[cause].disables,
    key,
  }),
);

describe('what an upstream refuses a call with', () => {
  test.each(named)(
    'type $type, $cause (status $status): $body',
    ({ type, status, body, code, disables, key }) => {
      const error = read(type, status, body, key);
      expect({ code: error.code, disables: disableReason(error, options) !== undefined }).toEqual({
        code,
        disables,
      });
    },
  );

  test('a kind that takes several formats is read in the one it was asked in', () => {
    const { readError } = providerOf(108) ?? {};
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' }];
    const full = { error: { code: 429, message: 'Slower', status: 'RESOURCE_EXHAUSTED', details } };
    expect(readError?.(429, full, undefined, 'gemini')).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 48,
    });
    const poor = { type: 'invalid_request_error', message: 'Your credit balance is too low' };
    const told = readError?.(400, { type: 'error', error: poor }, undefined, 'anthropic-messages');
    expect(told).toMatchObject({ code: 'upstream_failed', upstream: { ofAccount: true } });
    const ours = { message: 'x', type: 'new_api_error', code: 'insufficient_user_quota' };
    for (const format of ['openai-chat', 'anthropic-messages', 'gemini'])
      expect(readError?.(500, { error: ours }, undefined, format).upstream?.ofAccount).toBe(true);
  });

  test('an error that the operator must fix is not shown to the caller', () => {
    const told = named
      .filter(({ disables }) => disables)
      .map(({ type, status, body, key }) => read(type, status, body, key))
      .filter(({ message, upstream }) => upstream === undefined || message.includes(upstream.message));
    expect(told).toEqual([]);
  });

  test('how long to wait is told to the caller as the upstream told it', () => {
    const told = named.filter(({ cause, status }) => cause === 'rate' && status !== 200);
    const waits = told.map(({ type, status, body, key }) => read(type, status, body, key).retryAfterSeconds);
    expect(waits).toEqual(told.map(() => 7));
  });
});

describe("what the caller hears, in each caller's format", () => {
  const statuses = { upstream_failed: 502, not_found: 404, rate_limited: 429, invalid_request: 400 } as const;
  const words = {
    'openai-chat': ['upstream_error', 'not_found', 'rate_limit', 'invalid_request'],
    'openai-responses': ['upstream_error', 'not_found', 'rate_limit', 'invalid_request'],
    'anthropic-messages': ['api_error', 'not_found_error', 'rate_limit_error', 'invalid_request_error'],
    gemini: ['UNAVAILABLE', 'NOT_FOUND', 'RESOURCE_EXHAUSTED', 'INVALID_ARGUMENT'],
  } as const;

  test.each(Object.values(chatDialects))(
    '$name has a word and a status for each class',
    ({ name, writeError }) => {
      for (const [at, [code, status]] of Object.entries(statuses).entries()) {
        const written = writeError(new AppError(code as keyof typeof statuses, 'said'), 'req-1');
        expect(written.status).toBe(status);
        expect(JSON.stringify(written.body)).toContain(words[name][at]);
      }
    },
  );
});
