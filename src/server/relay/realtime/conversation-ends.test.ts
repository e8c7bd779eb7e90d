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

/** The text of `PIECE`, and our count of what it read. */
const COUNTED = 300 + 250;

test.each<[string, readonly object[], readonly number[]]>([
  [
    'that has ended too, its usage',
    [{ ...DONE, response: { id: 'two', usage: USED } }],
    [USED_UNITS, USED_UNITS],
  ],
  ['that is not over, what has come of it', [PIECE], [USED_UNITS, COUNTED]],
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
