import { expect, test } from 'vitest';
import { bestLanes } from '../best-lanes.ts';
import { type Item, pendingReply, type ReplyMeter, sampleExchange, userMessage } from './conversation.ts';
import { asMarkdown } from './export-conversation.ts';
import { startTalk } from './start-talk.ts';
import { headOf, isFound, overfull, type TalkHead } from './talk-store.ts';

const reply = (model: string, content: string, meter: ReplyMeter = {}): Item => ({
  ...pendingReply(model),
  status: 'complete',
  content,
  meter,
});

test('the entry of a conversation has its first words, its models, and its searchable text', () => {
  const items = [
    ...sampleExchange('Hello', 'Hello!'),
    userMessage('  Plan\n a   Trip ', []),
    reply('one', 'To ROME'),
  ];
  const other = [userMessage('Plan a Trip', []), reply('two', 'To Oslo')];
  const head = headOf(
    {
      id: 'a',
      lanes: [
        { model: '', items },
        { model: 'two', items: other },
      ],
    },
    5,
  );
  expect(head).toMatchObject({ id: 'a', title: 'Plan a Trip', models: ['one', 'two'], changedAtMs: 5 });
  expect(head.words).toContain('to rome');
  expect(head.words).toContain('to oslo');
  expect(head.words).not.toContain('hello');
});

test('a conversation is found by its words and its models, however they are written', () => {
  const lanes = [
    { model: '', items: [userMessage('Plan a Trip', []), reply('deepseek-ai/DeepSeek-V3', 'Yes')] },
  ];
  const head = headOf({ id: 'a', lanes }, 5);
  const typed = ['deepseek-v3', 'DeepSeek-V3 plan', 'TRIP', '  ', 'trip rome'];
  expect(typed.map((text) => isFound(head, text))).toEqual([true, true, true, true, false]);
});

test('a model that was taken out is put back where it was, beside one that was added since', () => {
  const talk = startTalk({ id: 'a', lanes: ['', 'one', 'two'].map((model) => ({ model, items: [] })) });
  const [, one] = talk.lanes.get();
  if (one === undefined) throw new Error('no second model');
  const putBack = talk.removeLane(one);
  talk.addLane('three');
  expect(putBack()).toBe('back');
  expect(talk.lanes.get().map(({ model }) => model)).toEqual(['', 'one', 'two', 'three']);
});

test('a model whose place has been taken is not put back, and that is told', () => {
  const talk = startTalk({
    id: 'a',
    lanes: ['', 'one', 'two', 'three'].map((model) => ({ model, items: [] })),
  });
  const [, one] = talk.lanes.get();
  if (one === undefined) throw new Error('no second model');
  const putBack = talk.removeLane(one);
  talk.addLane('four');
  expect(putBack()).toBe('full');
  expect(talk.lanes.get().map(({ model }) => model)).toEqual(['', 'two', 'three', 'four']);
});

const sized = (id: number, characters: number): TalkHead => ({
  id: String(id),
  title: '',
  models: [],
  changedAtMs: 0,
  words: '',
  characters,
});

test('the newest 200 conversations are stored, up to 128 million characters', () => {
  const many = Array.from({ length: 203 }, (_, at) => sized(at, 1));
  expect(overfull(many)).toEqual(['200', '201', '202']);
  const heavy = [sized(0, 100 * 1024 * 1024), sized(1, 20 * 1024 * 1024), sized(2, 9 * 1024 * 1024)];
  expect(overfull(heavy)).toEqual(['2']);
});

test('the fastest and the cheapest answer are marked once every model has answered and its cost is known', () => {
  const fast = [reply('a', 'x', { totalMs: 10, quotaUnits: 9 })];
  const cheap = [reply('b', 'x', { totalMs: 20, quotaUnits: 3 })];
  expect(bestLanes([fast, cheap])).toEqual([['fastest'], ['cheapest']]);
  expect(bestLanes([fast, fast])).toEqual([[], []]);
  expect(bestLanes([fast])).toEqual([[]]);
  const broken: Item[] = [{ ...pendingReply('d'), status: 'complete', cut: 'broken', meter: { totalMs: 1 } }];
  expect(bestLanes([fast, cheap, broken])).toEqual([[], [], []]);
  const unpriced = [reply('c', 'x', { totalMs: 1 })];
  expect(bestLanes([fast, cheap, unpriced])).toEqual([[], [], ['fastest']]);
  expect(bestLanes([fast, [pendingReply('c')]])).toEqual([[], []]);
});

test('a conversation in a document says of each reply why it is not whole, and which tools it asked for', () => {
  const words = {
    names: { user: 'You', assistant: 'Model' },
    cuts: { length: 'at its limit', filter: 'filtered', broken: 'broken off', stopped: 'stopped' },
  };
  const cut = { ...pendingReply('one'), content: 'To Ro', cut: 'length' } as const;
  const failed = { ...pendingReply('one'), error: 'no\nroom' };
  const asking = { ...pendingReply('one'), tools: [{ key: '1', name: 'find', input: '{"a":"```"}' }] };
  const items = [userMessage('Where to?', []), cut, failed, asking];
  expect(asMarkdown([{ model: 'one', items }], words)).toBe(
    [
      '## You\n\nWhere to?',
      '## Model\n\nTo Ro\n\n> at its limit',
      '## Model\n\n> no\n> room',
      '## Model\n\n**find**\n\n````json\n{"a":"```"}\n````\n',
    ].join('\n\n'),
  );
});
