import { expect, test } from 'vitest';
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
