import { expect, test } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import { openaiRealtime } from '../../dialects/openai-realtime/openai-realtime.ts';
import { heldCall } from '../testing/answered-call.ts';
import {
  ASK,
  BEGUN,
  converse,
  DONE,
  endConversation,
  FIRST,
  PIECE,
  settled,
  USED,
  USED_UNITS,
} from '../testing/slow-ledger.ts';
import { swap } from './turn.ts';

/** What is charged of a conversation whose caller leaves while an answer of it is being charged. */

/** Tokens of the text of `PIECE`. */
const SAID = 250;

test.each<[string, readonly object[], readonly number[]]>([
  [
    'that has ended too, its usage',
    [{ ...DONE, response: { id: 'two', usage: USED } }],
    [USED_UNITS, USED_UNITS],
  ],
  ['that is not over, what has come of it', [PIECE], [USED_UNITS, USED_UNITS + SAID]],
  ['that has said nothing yet, nothing', [], [USED_UNITS]],
])('of an answer beside it %s is charged', async (_, later, charged) => {
  const talk = await converse(4 * FIRST);
  const { caller, upstream, ledger } = talk;
  caller.says(ASK, ASK);
  await settled();
  upstream.says({ ...BEGUN, response: { id: 'one' } }, { ...BEGUN, response: { id: 'two' } });
  ledger.busy();
  upstream.says({ ...DONE, response: { id: 'one', usage: USED } }, ...later);
  await settled();
  caller.socket.onClose?.(1000, '');
  await ledger.done();
  await endConversation(talk);
  expect(ledger.charged).toEqual(charged);
});

test('an answer whose end is sent twice is charged once', async () => {
  const talk = await converse(4 * FIRST);
  const done = { ...DONE, response: { id: 'one', usage: USED } };
  talk.upstream.says({ ...BEGUN, response: { id: 'one' } }, done);
  await settled();
  talk.upstream.says(done);
  await settled();
  await endConversation(talk);
  expect(talk.ledger.charged).toEqual([USED_UNITS]);
});

test('what an answer costs is written down as it begins and goes on, for a server that is killed', async () => {
  const talk = await converse(4 * FIRST);
  const { upstream, ledger } = talk;
  upstream.says(BEGUN);
  expect(ledger.saved).toEqual([]);
  upstream.says(...Array.from({ length: 9 }, () => PIECE));
  expect(ledger.saved).toEqual([SAID, 9 * SAID]);
  upstream.says(DONE, BEGUN, PIECE);
  await settled();
  expect(ledger.saved).toHaveLength(3);
  await endConversation(talk);
});

test('a hold has taken the place of another when that is given back', async () => {
  const [before, after] = [heldCall(openaiRealtime), heldCall(openaiRealtime)];
  const givenBack = Promise.withResolvers<void>();
  const held = { turn: before, worst: noUsage };
  const happened: string[] = [];
  const deps = { next: async () => after, settle: () => givenBack.promise };
  const over = swap(deps, held, noUsage).then(() => happened.push('swapped'));
  await settled();
  expect([held.turn, happened]).toEqual([after, []]);
  givenBack.resolve();
  await over;
});

test('a hold that cannot be paid beside another is asked for again once that is given back', async () => {
  const before = heldCall(openaiRealtime);
  const givenBack = Promise.withResolvers<void>();
  const happened: string[] = [];
  const deps = {
    next: async () => {
      happened.push('asked');
      if (happened.length === 1) throw new AppError('insufficient_quota', 'too much');
      return before;
    },
    settle: () => givenBack.promise.then(() => void happened.push('given back')),
  };
  const over = swap(deps, { turn: before, worst: noUsage }, noUsage);
  await settled();
  expect(happened).toEqual(['asked']);
  givenBack.resolve();
  await over;
  expect(happened.slice(0, 3)).toEqual(['asked', 'given back', 'asked']);
});
