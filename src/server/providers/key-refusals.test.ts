import { expect, test } from 'vitest';
import { keyVerdict } from '#core/channel/keys/key-verdict.ts';
import { Secret } from '#core/secrets/secret.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { AppError } from '#core/error.ts';
import { SseParser } from '../dialects/sse.ts';
import { providerOf } from './registry.ts';
import { farEasternRefusals } from './testing/far-eastern-refusals.ts';
import { hostRefusals } from './testing/host-refusals.ts';
import type { Refusal } from './testing/refusal.ts';
import { westernRefusals } from './testing/western-refusals.ts';

/** What a refusal says about its key: with its status, in a body with status 200, and as a stream's first event. */

const VERDICTS: Readonly<Record<Refusal[1], readonly unknown[]>> = {
  key: ['revoked', 'denied'],
  money: ['spent'],
  rate: ['limited'],
  // A deployment that is not there is ours to mend.
  model: [undefined, 'denied'],
  long: [undefined],
  filter: [undefined],
};
/** Without their status these bodies say nothing of an account. */
const STATUS_TELLS: readonly string[] = ['56 money', '37 money'];
/** A 413 with the code of a rate limit; and an account that is suspended may be one that has not paid. */
const OTHERWISE: Readonly<Record<string, string>> = { '100 long': 'limited', '102 key': 'spent' };

const formatOf = ([type, , , , , key = 'k']: Refusal) => {
  const provider = providerOf(type);
  if (provider === undefined) throw new Error('no provider');
  const format = provider.dialectFor?.('m', channelOf(type, { key: new Secret(key) })) ?? provider.dialect;
  return { provider, format };
};

/** As the relay reads it under 200: by the format, then by the kind's own words. */
const inside = (refusal: Refusal, error: AppError | undefined): AppError | undefined =>
  error && (formatOf(refusal).provider.readErrorInside?.(error) ?? error);

const withStatus = (refusal: Refusal): AppError | undefined => {
  const { provider, format } = formatOf(refusal);
  const [, , status, body] = refusal;
  if (status === 200) return inside(refusal, format.tapWhole(body).error);
  return (provider.readError ?? format.readError)(status, body);
};

const asEvent = (refusal: Refusal): AppError | undefined => {
  const parser = new SseParser(1_000_000);
  const bytes = Buffer.from(`data: ${JSON.stringify(refusal[3])}\n\n`);
  const { format } = formatOf(refusal);
  for (const frame of parser.feed(bytes)) {
    const error = format.tap(frame)?.error;
    if (error !== undefined) return inside(refusal, error);
  }
  return undefined;
};

const refusals = [...westernRefusals, ...hostRefusals, ...farEasternRefusals];
const named = refusals.map((refusal) => ({ type: refusal[0], cause: refusal[1], refusal }));

test.each(named)('type $type, $cause: with its status', ({ cause, refusal }) => {
  const error = withStatus(refusal);
  expect(VERDICTS[cause]).toContain(error && keyVerdict(error));
});

test.each(named)('type $type, $cause: inside a 200', ({ type, cause, refusal }) => {
  const name = `${String(type)} ${cause}`;
  const isTold = cause === 'money' && !STATUS_TELLS.includes(name);
  // What the status alone tells is not known, and is not taken for something else.
  const known = isTold ? VERDICTS[cause] : [...VERDICTS[cause], undefined, OTHERWISE[name]];
  for (const error of [
    inside(refusal, formatOf(refusal).format.tapWhole(refusal[3]).error),
    asEvent(refusal),
  ])
    expect(known).toContain(error && keyVerdict(error));
});

test.each([
  `could not parse the tool 'insufficient_quota' of this call`,
  'unknown voice "账户余额不足"',
  'no such field: `account is suspended`, insufficient data',
  'the word “insufficient balance is listed',
])('a caller’s words repeated in an error under status 200 do not disable a key: %s', (message) => {
  const { error } = providerOf(1)?.dialect.tapWhole({ error: { message } }) ?? {};
  expect(error).toBeDefined();
  expect(error && keyVerdict(error)).toBeUndefined();
});

test.each(["You've exceeded your current quota. It's time to pay.", "Today's usage limit has been reached"])(
  'a curly apostrophe is read like a straight one: %s',
  (message) => {
    const { error } = providerOf(1)?.dialect.tapWhole({ error: { message } }) ?? {};
    expect(error && keyVerdict(error)).toBe('spent');
  },
);
