import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { SseParser } from '../../dialects/sse.ts';
import { answeredCall, heldCall } from '../testing/answered-call.ts';
import type { Stream } from './answer.ts';
import { maskAndTap, maskingOf } from './mask.ts';
import { repeat } from './repeat.ts';
import { rewrite } from './rewrite.ts';

const HEAD = { id: 'c', object: 'chat.completion.chunk', created: 7, model: 'm' };
const chunk = (delta: object, finish: string | null): Buffer => {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return Buffer.from(`data: ${JSON.stringify({ ...HEAD, choices })}\n\n`);
};
const PIECES = [chunk({ content: 'one' }, null), chunk({ content: 'two' }, null), chunk({}, 'stop')] as const;
const DONE = Buffer.from('data: [DONE]\n\n');
const TURNS = 50;

/** Passes a stream on to a caller who reads, and is charged, when the test says so; returns the events in order. */
const passing = (way: typeof repeat | typeof rewrite) => {
  const happened: string[] = [];
  const room = Promise.withResolvers<void>();
  const charge = Promise.withResolvers<void>();
  const state = { isSlow: false };
  const held = heldCall(way === repeat ? openaiChat : anthropicMessages, {
    write: () => {
      happened.push('written');
      return !state.isSlow;
    },
    drained: () => room.promise,
    end: () => void happened.push('ended'),
  });
  const answered = answeredCall(held, openaiChat, 'sk-secret-0123456789');
  const [begun, ...later] = PIECES;
  const pieces = [...later, DONE].values();
  const parser = new SseParser();
  const masking = maskingOf(answered.secrets);
  const stream: Stream = {
    kind: 'stream',
    first: parser.feed(begun).map((frame) => maskAndTap(frame, openaiChat, masking)),
    rest: {
      next: async () => {
        happened.push('read');
        return pieces.next();
      },
    },
    parser,
    masking,
    meter: answered.live.meter,
    discard: () => undefined,
  };
  const close = async (): Promise<void> => {
    happened.push('charging');
    await charge.promise;
    happened.push('charged');
  };
  const deps = { clock: { monotonic: () => 1, now: () => 1 } };
  const checkpoint = () => void happened.push('saved');
  const begin = (): Promise<void> => way(deps, answered, stream, { checkpoint, close });
  return { begin, happened, state, room, charge };
};

const untilNothingHappens = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe.each([
  ['repeated', repeat],
  ['converted', rewrite],
])('a stream that is %s', (_, way) => {
  it('ends for its caller only when it is charged, so that the next call sees the new balance', async () => {
    const { begin, happened, charge } = passing(way);
    const over = begin();
    await untilNothingHappens();
    expect(happened.at(-1)).toBe('charging');
    charge.resolve();
    await over;
    expect(happened.filter((what) => what === 'ended')).toHaveLength(1);
    expect(happened.indexOf('ended')).toBeGreaterThan(happened.indexOf('charged'));
  });

  it('has the cost of its first event saved before the next: the process may be killed during a silence', async () => {
    const { begin, happened, charge } = passing(way);
    charge.resolve();
    await begin();
    expect(happened.indexOf('saved')).toBeGreaterThan(happened.indexOf('written'));
    expect(happened.indexOf('saved')).toBeLessThan(happened.indexOf('read'));
  });

  it('is read no further while its caller does not read', async () => {
    const { begin, happened, state, room, charge } = passing(way);
    state.isSlow = true;
    const over = begin();
    await untilNothingHappens();
    const read = happened.filter((what) => what === 'read').length;
    expect(read).toBeLessThan(PIECES.length);
    expect(happened).not.toContain('charging');
    state.isSlow = false;
    room.resolve();
    charge.resolve();
    await over;
    expect(happened.filter((what) => what === 'read').length).toBeGreaterThan(read);
    expect(happened.at(-1)).toBe('ended');
  });
});
