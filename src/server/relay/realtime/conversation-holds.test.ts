import { expect, test } from 'vitest';
import type { Held } from '../stages.ts';
import type { WhenCharged, Words } from './transcripts.ts';
import {
  FIRST,
  USED,
  USED_UNITS,
  settled,
  converse,
  ASK,
  BEGUN,
  DONE,
  REFUSED,
  PIECE,
  endConversation,
} from '../testing/slow-ledger.ts';

/** What happens while the ledger is slow: it opens and closes holds only when told to. */

test('a request before the last answer is settled waits for the next turn', async () => {
  const talk = await converse(2 * FIRST - 100);
  const { caller, upstream, ledger } = talk;
  for (let turn = 1; turn <= 3; turn += 1) {
    caller.says(ASK);
    upstream.says(BEGUN);
    ledger.busy();
    upstream.says(DONE);
    await settled();
    caller.says(ASK);
    await settled();
    expect(upstream.sent).toHaveLength(2 * turn - 1);
    await ledger.done();
    expect([upstream.sent.length, ledger.open.size]).toEqual([2 * turn, 1]);
    upstream.says(BEGUN, DONE);
    await settled();
  }
  expect([caller.types().includes('error'), caller.closed]).toEqual([false, []]);
  await endConversation(talk);
  expect(ledger.charged).toEqual(Array.from({ length: 6 }, () => USED_UNITS));
});

test('a caller who asks again before the settlement and cannot pay is closed, with one error', async () => {
  const talk = await converse(FIRST);
  const { caller, upstream, ledger, conversation } = talk;
  upstream.says({ type: 'session.created', session: {} });
  caller.says({ type: 'conversation.item.create', item: { content: [{ text: 'word '.repeat(10) }] } }, ASK);
  upstream.says(BEGUN);
  ledger.busy();
  const dear = { total_tokens: 6000, input_tokens: 5000, output_tokens: 1000 };
  upstream.says({ type: 'response.done', response: { usage: dear } });
  caller.says(ASK);
  await ledger.done();
  await conversation.ended;
  expect([caller.closed, upstream.types().filter((type) => type === ASK.type)]).toEqual([[1008], [ASK.type]]);
  expect(caller.sent.filter(({ type }) => type === 'error')).toEqual([
    { type: 'error', error: { code: 'user_short' } },
  ]);
  expect([ledger.open.size, ledger.left()]).toEqual([0, FIRST - 6000]);
});

test('an answer requested while another ends has its own hold, even if others were requested before', async () => {
  const talk = await converse(10 * FIRST);
  const { caller, upstream, ledger } = talk;
  caller.says(ASK, ASK);
  await settled();
  // The second has not begun when the first ends.
  upstream.says(BEGUN, DONE);
  await settled();
  caller.says(ASK);
  await settled();
  expect([upstream.sent.length, ledger.open.size]).toEqual([3, 2]);
  upstream.says(BEGUN, BEGUN, DONE, DONE);
  await settled();
  await endConversation(talk);
  expect(ledger.charged).toEqual([USED_UNITS, USED_UNITS, USED_UNITS]);
});

test('an answer that the upstream begins by itself beside another is held as it begins', async () => {
  const talk = await converse(3 * FIRST);
  const { upstream, ledger } = talk;
  upstream.says(BEGUN, BEGUN);
  await settled();
  expect(ledger.open.size).toBe(2);
  upstream.says(PIECE, DONE, DONE);
  await settled();
  await endConversation(talk);
  expect(ledger.charged).toEqual([USED_UNITS, USED_UNITS]);
});

test('an answer that the upstream began by itself is forwarded only once it is held', async () => {
  const talk = await converse(3 * FIRST);
  const { upstream, ledger } = talk;
  ledger.busy();
  upstream.says(BEGUN, BEGUN);
  await settled();
  expect([upstream.isPaused(), ledger.open.size]).toEqual([true, 1]);
  await ledger.done();
  expect([upstream.isPaused(), ledger.open.size]).toEqual([false, 2]);
  await endConversation(talk);
});

test('an answer whose turn comes while the ledger is busy is held once', async () => {
  const talk = await converse(3 * FIRST);
  const { upstream, ledger } = talk;
  ledger.busy();
  upstream.says(
    { ...BEGUN, response: { id: 'one' } },
    { ...DONE, response: { id: 'one', usage: USED } },
    { ...BEGUN, response: { id: 'two' } },
  );
  await settled();
  await ledger.done();
  expect([ledger.charged, ledger.open.size]).toEqual([[USED_UNITS], 1]);
  await endConversation(talk);
});

test('the hold of an answer that the upstream refuses is given back', async () => {
  const talk = await converse(3 * FIRST);
  const { caller, upstream, ledger } = talk;
  caller.says(ASK, ASK);
  await settled();
  expect(ledger.open.size).toBe(2);
  upstream.says(BEGUN, REFUSED);
  await settled();
  expect([ledger.open.size, ledger.left()]).toEqual([1, 2 * FIRST]);
  upstream.says(DONE);
  await settled();
  await endConversation(talk);
  expect(ledger.charged).toEqual([USED_UNITS]);
});

test('output of the next answer is not counted for the one before', async () => {
  const talk = await converse(3 * FIRST);
  const { caller, upstream, ledger } = talk;
  caller.says(ASK, ASK);
  await settled();
  upstream.says(BEGUN, PIECE, { type: 'response.done', response: {} }, BEGUN, PIECE, DONE);
  await settled();
  await endConversation(talk);
  const [counted = 0, reported] = ledger.charged;
  expect(reported).toBe(USED_UNITS);
  expect(counted).toBeLessThan(300);
});

test('a step that fails ends the conversation, and its holds are closed', async () => {
  const talk = await converse(3 * FIRST, { charge: () => Promise.reject(new Error('no such model')) });
  const { caller, upstream, ledger, conversation } = talk;
  upstream.says({ type: 'conversation.item.input_audio_transcription.completed', transcript: 'hello' });
  await conversation.ended;
  expect([ledger.open.size, ledger.left(), caller.closed]).toEqual([0, 3 * FIRST, [1008]]);
});

/** 3,000 tokens of text; an answer is held for 4,096 of sound. */
const LONG = { type: 'response.output_text.delta', delta: 'word'.repeat(3000) };

test('an answer longer than its hold pays for is shown once its hold has grown', async () => {
  const talk = await converse(2 * FIRST);
  const { caller, upstream, ledger } = talk;
  caller.says(ASK);
  upstream.says(BEGUN, LONG);
  ledger.busy();
  upstream.says(LONG);
  await settled();
  expect([caller.types(), upstream.isPaused()]).toEqual([[BEGUN.type, LONG.type], true]);
  await ledger.done();
  expect([caller.types(), upstream.isPaused()]).toEqual([[BEGUN.type, LONG.type, LONG.type], false]);
  expect([...ledger.open.values()]).toEqual([FIRST + 4096]);
  await endConversation(talk);
});

test('an answer that outgrows what its payer has ends, and what was made is charged', async () => {
  const talk = await converse(FIRST + 4000);
  const { caller, upstream, ledger, conversation } = talk;
  caller.says(ASK);
  upstream.says(BEGUN, LONG, LONG);
  await conversation.ended;
  expect([caller.types(), caller.closed]).toEqual([[BEGUN.type, LONG.type, 'error'], [1008]]);
  const [charged = 0] = ledger.charged;
  expect([ledger.charged.length, ledger.open.size, ledger.left()]).toEqual([1, 0, FIRST + 4000 - charged]);
  // Texts are counted without their frames, to a few tokens.
  expect(charged).toBeGreaterThan(5880);
  expect(charged).toBeLessThanOrEqual(6000);
});

test('a quoted event name inside a text is not taken for an event', async () => {
  const talk = await converse(3 * FIRST);
  const { caller, upstream, ledger } = talk;
  const quoting = (text: string) => ({
    type: 'conversation.item.created',
    item: { content: [{ type: 'input_text', text }] },
  });
  upstream.says(quoting('response.created'), quoting('session.updated'), quoting('x.delta'));
  await settled();
  expect(ledger.open.size).toBe(1);
  caller.says(ASK);
  const usage = { ...USED, cost: 0.25 };
  upstream.says(BEGUN, { type: 'response.done', response: { metadata: { a: 'x.delta' }, usage } });
  await settled();
  // What the operator pays is not told on.
  expect(JSON.stringify(caller.sent.at(-1))).toContain(JSON.stringify({ usage: USED }).slice(1, -1));
  await endConversation(talk);
  expect(ledger.charged).toEqual([USED_UNITS]);
});

test.each([
  [
    'the caller leaves',
    (talk: Awaited<ReturnType<typeof converse>>) => talk.caller.socket.onClose?.(1006, ''),
  ],
  [
    'the upstream breaks off',
    (talk: Awaited<ReturnType<typeof converse>>) => talk.upstream.socket.onClose?.(1006, ''),
  ],
  ['the server stops', (talk: Awaited<ReturnType<typeof converse>>) => talk.conversation.stop()],
])('nothing stays held where %s while a hold is opened', async (_, leave) => {
  for (const messages of [
    [ASK, ASK],
    [{ type: 'session.update', session: { instructions: 'word '.repeat(9000) } }],
  ]) {
    const talk = await converse(9 * FIRST);
    talk.ledger.busy();
    talk.caller.says(...messages);
    await settled();
    leave(talk);
    await talk.ledger.done();
    await talk.conversation.ended;
    expect([talk.ledger.open.size, talk.ledger.left()]).toEqual([0, 9 * FIRST]);
  }
});

test('an answer nobody has asked for yet is held again when prices have changed, one that was asked for is not', async () => {
  const old = new Set<Held>();
  const talk = await converse(10 * FIRST, { isOutdated: (turn) => old.has(turn) });
  const { caller, upstream, ledger } = talk;
  const [first] = ledger.open.keys();
  if (first !== undefined) old.add(first);
  caller.says(ASK);
  await settled();
  const [second] = ledger.open.keys();
  expect([ledger.open.size, second === first, upstream.types()]).toEqual([1, false, [ASK.type]]);
  if (second !== undefined) old.add(second);
  caller.says({ type: 'input_audio_buffer.append', audio: '' });
  await settled();
  expect([...ledger.open.keys()]).toEqual([second]);
  upstream.says(BEGUN, DONE);
  await settled();
  await endConversation(talk);
  expect(ledger.charged).toEqual([USED_UNITS]);
});

const WORDS = 'word'.repeat(100);

test.each<[string, object[], object]>([
  ['as its parts end', [{ type: 'response.output_text.done', text: WORDS }], {}],
  ['at its end', [], { output: [{ content: [{ transcript: WORDS }] }] }],
  [
    'in pieces, as its parts end and at its end',
    [
      { type: 'response.output_text.delta', pad: 'x'.repeat(188), delta: WORDS },
      { type: 'response.output_text.done', text: WORDS },
    ],
    { output: [{ content: [{ text: WORDS }] }] },
  ],
])('an answer without usage that is told whole is counted once: %s', async (_, events, response) => {
  const talk = await converse(3 * FIRST);
  talk.caller.says(ASK);
  talk.upstream.says(BEGUN, ...events, { type: 'response.done', response });
  await settled();
  await endConversation(talk);
  const [charged = 0] = talk.ledger.charged;
  // The question itself is counted as ten tokens or so.
  expect(charged).toBeGreaterThanOrEqual(100);
  expect(charged).toBeLessThan(115);
});

const WRITING = 'conversation.item.input_audio_transcription';

test('what was written down and shown is charged where its caller leaves before the end is told', async () => {
  const written: (number | string)[][] = [];
  const charge = async ({ used }: Words, when: WhenCharged): Promise<boolean> => {
    written.push([used.inputTokens, used.outputTokens, when]);
    return true;
  };
  const talk = await converse(3 * FIRST, { charge });
  talk.upstream.says(
    { type: `${WRITING}.delta`, item_id: 'a', delta: WORDS },
    { type: `${WRITING}.delta`, item_id: 'b', delta: WORDS },
    { type: `${WRITING}.delta`, item_id: 'c', delta: WORDS },
    { type: `${WRITING}.delta`, item_id: 'c', delta: WORDS },
    { type: `${WRITING}.completed`, item_id: 'a', transcript: WORDS },
    { type: `${WRITING}.failed`, item_id: 'b' },
  );
  await settled();
  await endConversation(talk);
  expect(written).toEqual([
    [500, 100, 'if-paid'],
    [1000, 200, 'in-any-case'],
  ]);
});
