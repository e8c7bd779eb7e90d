import { expect, test } from 'vitest';
import { pathAndBody } from '../conformance/callers.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { formats } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import {
  type Answer,
  chatAnswer,
  geminiAnswer,
  messagesAnswer,
  responsesAnswer,
  type Turn,
} from '../support/upstreams/scripted-formats.ts';
import { type Moment, watchWhileBusy } from './busy-database.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';
import { useFormats } from './use-formats.ts';

/** A caller with the end of a stream has been charged: the end is sent after the settlement is written, and only the end waits. */

const WORDS = 'Nothing of this is for free, and its last word comes when all the others are paid.';
const UNITS = 30;

const ANSWERS: Readonly<Record<DialectName, (turn: Turn) => Answer>> = {
  'openai-chat': chatAnswer,
  'openai-responses': responsesAnswer,
  'anthropic-messages': messagesAnswer,
  gemini: geminiAnswer,
};
/** The end mark of each format. */
const ENDS: Readonly<Record<DialectName, RegExp>> = {
  'openai-chat': /\[DONE\]/,
  'openai-responses': /response\.completed/,
  'anthropic-messages': /message_stop/,
  gemini: /"finishReason"/,
};
const LIST_END = /\]\s*$/;

const { rig, upstream, post } = useFormats(startStepwiseUpstream);

/** Requests a stream whose second half arrives while the database cannot be written. */
const askWhileBusy = async (path: string, body: unknown) => {
  const { moments, sees } = watchWhileBusy(rig());
  const text = await upstream().read(await post(path, body), sees);
  return { text, moments };
};

const halves = (text: string): readonly string[] => {
  const events = text.split(/(?<=\n\r?\n)/);
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle).join(''), events.slice(middle).join('')];
};

const requestOf = (to: DialectName, of: DialectName) => {
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
  const asked = { model: of, stream: true, messages, maxOutputTokens: 100, extras: {} };
  return pathAndBody(to, { ...chatDialects[to].writeRequest(asked), model: of, stream: true });
};

/** The charges at each moment when a caller had the end. */
const chargedAt = (end: RegExp, moments: readonly Moment[]) =>
  moments.filter(({ text }) => end.test(text)).map(({ charges }) => charges);

test.each(formats.flatMap((of) => formats.map((to) => [of, to] as const)))(
  'the end of a stream of %s, for callers of %s',
  async (of, to) => {
    upstream().say({ pieces: halves(ANSWERS[of]({ text: WORDS }).events()) });
    const { path, body } = requestOf(to, of);
    const { text, moments } = await askWhileBusy(path, body);
    expect(new Set(chargedAt(ENDS[to], moments).map(String))).toEqual(new Set([String(UNITS)]));
    const said = saidIn(await eventsOf(chatDialects[to], Buffer.from(text), { stream: true }));
    expect(said).toMatchObject({ text: WORDS, finish: ['stop'] });
    const before = moments.filter(({ charges }) => charges.length === 0).at(-1)?.text ?? '';
    const early = saidIn(await eventsOf(chatDialects[to], Buffer.from(before), { stream: true })).text;
    // In a format without an end mark, the last piece is the end, and it contains text.
    expect(early).toBe(of === 'gemini' && to === 'gemini' ? WORDS.slice(0, -(WORDS.length % 9)) : WORDS);
  },
);

test.each(formats)('the end of a list made of a stream of %s', async (of) => {
  upstream().say({ pieces: halves(ANSWERS[of]({ text: WORDS }).events()) });
  const { path, body } = requestOf('gemini', of);
  const { text, moments } = await askWhileBusy(path.replace('?alt=sse', ''), body);
  expect(new Set(chargedAt(LIST_END, moments).map(String))).toEqual(new Set([String(UNITS)]));
  expect(JSON.parse(text)).toHaveLength(text.match(/"candidates"/g)?.length ?? 0);
});

test('a possible last frame is sent even if the upstream neither continues nor ends', async () => {
  upstream().say({ pieces: halves(geminiAnswer({ text: WORDS }).events()), staysOpen: true });
  const { path, body } = requestOf('gemini', 'gemini');
  const leaving = new AbortController();
  const askedMs = performance.now();
  const response = await fetch(rig().url + path, {
    method: 'POST',
    signal: leaving.signal,
    headers: { authorization: `Bearer ${rig().key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const left = upstream().read(response, (text) => {
    if (ENDS.gemini.test(text)) leaving.abort();
  });
  await expect(left).rejects.toThrow('abort');
  // The caller waits longer than that for the end.
  expect(performance.now() - askedMs).toBeLessThan(15_000);
});
