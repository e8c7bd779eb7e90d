import { expect, test } from 'vitest';
import { Secrets } from '#core/secrets/secrets.ts';
import { SseParser } from '../../dialects/sse.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { parseReply } from './answer.ts';
import { maskAndTap, maskFrame, maskingOf, withoutSecrets } from './mask.ts';
import { AppError } from '#core/error.ts';
import { TextRun } from './text-run.ts';

const SECRET = 'sk-secret-0123456789';
const STARS = '*'.repeat(SECRET.length);

test.each([
  ['in one piece', (event: string) => [event]],
  ['cut in the middle of the key', (event: string) => [event.slice(0, 30), event.slice(30)]],
])('an event of several lines that came %s shows no key, neither as sent nor as parsed', (_, cut) => {
  const parser = new SseParser();
  const event = `data: {"said":\ndata: "${SECRET}"}\n\n`;
  const frames = cut(event).flatMap((piece) => parser.feed(Buffer.from(piece)));
  for (const frame of frames) maskFrame(frame, maskingOf(new Secrets([SECRET])));
  expect(frames.map(({ raw, data }) => [raw.toString(), data.toString()])).toEqual([
    [`data: {"said":\ndata: "${STARS}"}\n\n`, `{"said":\n"${STARS}"}`],
  ]);
});

test('what an upstream charges the operator is told neither in a stream nor in a whole answer', () => {
  const usage = { prompt_tokens: 5, cost: 0.0123, completion_tokens: 2, cost_details: { upstream: 0.01 } };
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } };
  const none = new Secrets([]);
  const event = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  const [frame] = new SseParser().feed(Buffer.from(event));
  if (frame === undefined) throw new Error('no event');
  const { tapped } = maskAndTap(frame, openaiChat, maskingOf(none));
  expect(tapped?.usage).toMatchObject({ inputTokens: 5, outputTokens: 2 });
  const whole = parseReply(Buffer.from(JSON.stringify({ choices: [choice], usage })), openaiChat, none);
  for (const shown of [frame.raw, frame.data, whole.bytes]) {
    expect(shown.toString()).not.toContain('cost');
    expect(JSON.parse(shown.toString().replace('data:', ''))).toMatchObject({
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
  }
  expect(frame.raw).toHaveLength(event.length);
});

test.each([
  ['an event that tells nothing else', 'data: {"id":"x","cost":0.0123}\n\n', { id: 'x' }],
  [
    'what stands on several lines',
    'event: e\ndata: {"usage": {\ndata:   "cost_details": {\r\ndata: "a": 7\ndata: }, "total_tokens": 7\ndata: }}\n\n',
    { usage: { total_tokens: 7 } },
  ],
])('a cost is told in no event: %s', (_, event, left) => {
  const [came] = new SseParser().feed(Buffer.from(event));
  if (came === undefined) throw new Error('no event');
  const { frame } = maskAndTap(came, openaiChat, maskingOf(new Secrets([])));
  const [shown] = new SseParser().feed(frame.raw);
  expect(shown?.event).toBe(came.event);
  for (const bytes of [shown?.data, frame.data]) expect(JSON.parse(String(bytes))).toEqual(left);
  expect(frame.raw.toString()).not.toContain('cost');
});

const secrets = new Secrets(['sk-0123456789abcdef'], ['api.reseller.example', 'proxy.inner.example']);
const told = (message: string): string | undefined =>
  withoutSecrets(new AppError('upstream_failed', 'failed', { upstream: { status: 400, message } }), secrets)
    .upstream?.message;

test.each([
  ['top up at https://www.reseller.example/top-up?x=1 now', 'top up at [address] now'],
  ['https://api.reseller.example:8443/v1 is down', '[address] is down'],
  ['api.reseller.example is down', '[address] is down'],
  ['no way through PROXY.inner.example:3128', 'no way through [address]'],
  ['from=https%3A%2F%2Freseller.example%3A8443%2Fv1 is unknown', 'from=[address] is unknown'],
  ['https://pages.example/?to=%2F%2Freseller.example', 'https://pages.example/?to=%2F%2F[address]'],
  ['the key sk-0123456789abcdef at "api.reseller.example"', `the key ${'*'.repeat(19)} at "[address]"`],
])('an error does not reveal the upstream’s address: %s', (message, shown) => {
  expect(told(message)).toBe(shown);
});

test('an error without secrets stays the same object, and addresses of the caller stay readable', () => {
  const error = new AppError('upstream_failed', 'no', {
    upstream: {
      status: 400,
      message: 'cannot load https://pictures.example/cat.png or https://notreseller.example/',
    },
  });
  expect(withoutSecrets(error, secrets)).toBe(error);
});

test('masking the upstream’s address keeps the note that nothing was sent', () => {
  const error = new AppError('upstream_failed', 'no way to api.reseller.example', { isUnsent: true });
  expect(withoutSecrets(error, secrets)).toMatchObject({ message: 'no way to [address]', isUnsent: true });
});

test('the short name of a host in the own network is taken for a word', () => {
  const error = new AppError('upstream_failed', 'the api said no');
  expect(withoutSecrets(error, new Secrets([], ['api']))).toBe(error);
});

test('frames are parsed one by one where a secret has a quote, as it may begin before their text', () => {
  const isTired = (secret: string): boolean => new TextRun(maskingOf(new Secrets([secret]))).isTired;
  expect([isTired('{"private_key":"0123456789"}'), isTired(SECRET)]).toEqual([true, false]);
});
