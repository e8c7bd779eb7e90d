import { expect, test } from 'vitest';
import { bestLanes } from '../best-lanes.ts';
import { type Item, pendingReply, type ReplyMeter, sampleExchange, userMessage } from './conversation.ts';
import { headOf, overfull, type TalkHead } from './talk-store.ts';

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
  const unpriced = [reply('c', 'x', { totalMs: 1 })];
  expect(bestLanes([fast, cheap, unpriced])).toEqual([[], [], ['fastest']]);
  expect(bestLanes([fast, [pendingReply('c')]])).toEqual([[], []]);
});
