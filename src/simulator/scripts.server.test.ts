import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../server/core/error.ts';
import type { OutboundReply, Sender } from '../server/core/outbound/outbound.ts';
import type { Wire } from '../server/dialects/dialect.ts';
import { anthropicMessages } from '../server/dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../server/dialects/gemini/gemini.ts';
import { openaiChatWire } from '../server/dialects/openai-chat/openai-chat.ts';
import { openaiResponsesWire } from '../server/dialects/openai-responses/openai-responses.ts';
import { readFrames } from '../server/dialects/sse.ts';
import { createSender } from '../server/outbound/send.ts';
import { systemClock } from '../server/system.ts';
import type { Outcome } from './script.ts';
import { scripts, scriptOf, SCRIPT_PREFIX } from './scripts.ts';
import { startSimulator, type RunningSimulator } from './start.ts';

/** Short, so that what hangs is over soon; what only has to wait for a busy machine still fits in. */
const SILENCE_MS = 3000;
const ENOUGH_BYTES = 1024 * 1024;

let simulator: RunningSimulator;
let sender: Sender;

beforeAll(async () => {
  simulator = await startSimulator();
  sender = createSender({ clock: systemClock, allowAddress: () => true });
});
afterAll(async () => {
  await sender.close();
  await simulator.stop();
});

interface Format {
  readonly path: string;
  readonly wire: Wire;
  readonly body: object;
}
const messages = [{ role: 'user', content: 'hello' }];
const CHAT: Format = { path: '/v1/chat/completions', wire: openaiChatWire, body: { messages } };
const GEMINI: Format = {
  path: '/v1beta/models/MODEL:METHOD',
  wire: gemini,
  body: { contents: [{ parts: [{ text: 'hello' }] }] },
};
const MESSAGES: Format = {
  path: '/v1/messages',
  wire: anthropicMessages,
  body: { messages, max_tokens: 100 },
};
const RESPONSES: Format = { path: '/v1/responses', wire: openaiResponsesWire, body: { input: 'hello' } };

const isLong = (model: string): boolean => /slow-bytes|endless|big/.test(model);

const ask = (model: string, stream: boolean, format: Format): Promise<OutboundReply> =>
  sender.send({
    method: 'POST',
    url:
      simulator.url +
      format.path
        .replace('MODEL', model)
        .replace('METHOD', stream ? 'streamGenerateContent?alt=sse' : 'generateContent'),
    headers: { 'content-type': 'application/json', authorization: 'Bearer canary-key' },
    // Google's path says both.
    body: JSON.stringify(format === GEMINI ? format.body : { model, stream, ...format.body }),
    headMs: SILENCE_MS,
    // What comes by the byte, or is large, comes later on a busy machine.
    idleMs: SILENCE_MS * (isLong(model) ? 4 : 1),
    wholeMs: SILENCE_MS * (isLong(model) ? 20 : 2),
  });

/** What becomes of a call, seen through the sender, the parser and the tap alone: the least a gateway can do. */
const outcomeOf = async (model: string, stream: boolean, format: Format): Promise<Outcome> => {
  const { wire } = format;
  let begun = false;
  let finished = false;
  try {
    const reply = await ask(model, stream, format);
    if (reply.status !== 200) {
      reply.body.discard();
      return 'refused';
    }
    let bytes = 0;
    const parts: Buffer[] = [];
    for await (const frame of stream ? readFrames(reply.body) : wholes(reply)) {
      bytes += frame.raw.length;
      parts.push(frame.raw);
      const tapped = stream ? wire.tap(frame) : wire.tapWhole(parse(frame.raw));
      if (tapped?.error !== undefined) throw tapped.error;
      begun ||= tapped?.content === true || frame.oversized === true;
      finished ||= tapped?.done === true || tapped?.finish !== undefined;
      if (tapped?.done === true) break;
      if (bytes > ENOUGH_BYTES && !/big|bomb/.test(model)) return 'endless';
    }
    if (begun && !finished) finished = wire.tapWhole(parse(Buffer.concat(parts))).finish !== undefined;
    if (!begun && stream) begun = finished = wire.tapWhole(parse(Buffer.concat(parts))).content === true;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (finished) return 'answer';
  }
  if (!begun) return 'refused';
  return finished ? 'answer' : 'broken-off';
};

async function* wholes({ body }: OutboundReply) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    if ((bytes += part.length) > 10 * ENOUGH_BYTES) throw new AppError('upstream_failed', 'too long');
  }
  const raw = Buffer.concat(parts);
  yield { raw, event: '', data: raw, oversized: undefined };
}

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

/** Scripts that take their time, hurried. */
const HURRIED: Readonly<Record<string, string>> = { silent: 'silent-200', 'slow-bytes': 'slow-bytes-1' };
const modelOf = (name: string): string => SCRIPT_PREFIX + (HURRIED[name] ?? name);

describe('every way to misbehave', () => {
  const all = [CHAT, RESPONSES, GEMINI, MESSAGES];
  /**
   * Each in one format, streamed, and in the next one, whole; the formats go round from script to script. That each does as it says
   * in every format is seen through the gateway, by callers of the same format: `e2e/faults/conversions.test.ts`.
   */
  const rowsFrom = (first: number) =>
    Object.entries(scripts).map(([name, script], at) => {
      const format = all[(at + first) % all.length] ?? CHAT;
      return [name, format.path, script, format] as const;
    });

  test.concurrent.each(rowsFrom(0).filter(([, , script]) => script.wholeOnly !== true))(
    'streamed: %s at %s',
    async (name, _, script, format) => {
      expect(await outcomeOf(modelOf(name), true, format)).toBe(script.outcome);
    },
  );

  test.concurrent.each(rowsFrom(1).filter(([, , script]) => script.streamOnly !== true))(
    'whole: %s at %s',
    async (name, _, script, format) => {
      // Of a whole reply nothing is shown before it is there, so nothing can break off.
      // And who reads a stream as the JSON that was asked for finds none: a gateway may do better.
      const isNoJson = script.outcome === 'broken-off' || name === 'stream-for-json';
      const expected = isNoJson ? 'refused' : script.outcome;
      expect(await outcomeOf(modelOf(name), false, format)).toBe(expected);
    },
  );

  test('nothing stays open at the simulator once its caller is gone', async () => {
    await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  });

  test('a name may end in a number, and an unknown one is no script', () => {
    expect(scriptOf('fault-silent-250')).toMatchObject({ argument: 250, script: scripts['silent'] });
    expect(scriptOf('fault-status-429')).toMatchObject({
      argument: undefined,
      script: scripts['status-429'],
    });
    expect(scriptOf('fault-nothing')).toBeUndefined();
    expect(scriptOf('gpt-4o')).toBeUndefined();
  });
});
