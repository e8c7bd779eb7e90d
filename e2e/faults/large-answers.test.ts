import { afterEach, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { AnswerRoom } from '../../src/server/relay/answer/answer-room.ts';
import { callerRequest } from '../support/caller-request.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import {
  type Answer,
  chatAnswer,
  geminiAnswer,
  messagesAnswer,
  responsesAnswer,
  type Turn,
} from '../support/upstreams/scripted-formats.ts';
import { startRig } from './rig.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';
import { useFormats } from './use-formats.ts';

/** Whole answers larger than one thread reads at once. */

/** Over half a megabyte. Surrogate pairs stand wherever the text is cut. */
const long = (start: string, times = 34_000): string => start + '🙂 and "words"\n'.repeat(times);
const answers: Readonly<Record<DialectName, (turn: Turn) => Answer>> = {
  'openai-chat': chatAnswer,
  'openai-responses': responsesAnswer,
  'anthropic-messages': messagesAnswer,
  gemini: geminiAnswer,
};
const pairs = formats.flatMap((caller) => formats.map((model) => [caller, model] as const));

describe('a stream is requested, and the upstream answers whole', () => {
  const { upstream, rig, post } = useFormats(startStepwiseUpstream);
  const ask = async (caller: DialectName, model: DialectName, turn: Turn) => {
    upstream().say(answers[model](turn).whole);
    const { path, body } = callerRequest(caller, model, { stream: true });
    const before = await rig().balance();
    const response = await post(path, body);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await eventually(async () => (await rig().balance()).used - before.used)).toBe(30);
    return saidIn(await eventsOf(chatDialects[caller], bytes, { stream: true }));
  };

  test.each(pairs)(
    'a caller of %s hears a long text of %s, and pays what was used',
    async (caller, model) => {
      for (const text of [long(''), long('x'), 'short']) {
        const said = await ask(caller, model, { text });
        expect(said.text === text).toBe(true);
        expect(said).toMatchObject({ finish: ['stop'], error: undefined });
      }
    },
  );

  test.each(pairs)('a caller of %s gets a long call of %s', async (caller, model) => {
    const text = long('');
    const said = await ask(caller, model, { call: { name: 'write', arguments: { text } } });
    expect(said.calls.map(({ name, arguments: told }) => [name, JSON.parse(told) as unknown])).toEqual([
      ['write', { text }],
    ]);
  });
});

/** The first value that is not 0. */
const eventually = async (read: () => Promise<number>): Promise<number> => {
  let value = 0;
  await expect.poll(async () => (value = await read())).toBeGreaterThan(0);
  return value;
};

describe('more answers come than there is memory for', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  test.each(formats.flatMap((format) => [[format, true] as const, [format, false] as const]))(
    'a caller of %s (streamed: %s) is told to try again, pays nothing, and no other channel is asked',
    async (format, stream) => {
      const upstream = await startStepwiseUpstream();
      const room = new AnswerRoom(1024 * 1024, 50);
      const channel = { type: typeOfFormat(format), baseUrl: upstream.addressOf(format), models: 'm' };
      const rig = await startRig([channel, channel], { RetryTimes: 3 }, undefined, oneFormatUpstream, room);
      stops.push(rig.stop, upstream.stop);
      const ask = async (text: string) => {
        upstream.say(answers[format]({ text }).whole);
        const { path, body } = callerRequest(format, 'm', { stream });
        const response = await fetch(rig.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${rig.key}` },
          body: JSON.stringify(body),
        });
        return { response, text: await response.text() };
      };
      // Over the megabyte there is room for.
      const { response, text } = await ask(long('', 60_000));
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(text).toContain('too many large answers at once');
      expect(upstream.asked).toHaveLength(1);
      await expect.poll(rig.openHolds).toBe(0);
      expect(await rig.balance()).toMatchObject({ used: 0 });
      expect(room.heldBytes).toBe(0);
      // It is not the channel's fault.
      expect((await ask('short')).response.status).toBe(200);
      expect(upstream.asked).toHaveLength(2);
    },
  );
});
