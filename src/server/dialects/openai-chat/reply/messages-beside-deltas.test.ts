import { describe, expect, test } from 'vitest';
import { writeFrame } from '../../sse.ts';
import { openReader } from './read-reply.ts';

/** Streams whose choices have a `message` beside the `delta`, as Perplexity's do: usually the whole text so far. */

interface Piece {
  readonly delta: unknown;
  readonly message: unknown;
  readonly finish_reason?: string;
}

const eventsOf = (pieces: readonly Piece[]) => {
  const reader = openReader();
  return pieces.flatMap((piece) => reader.read(writeFrame(JSON.stringify({ id: 'a', choices: [piece] }))));
};

const textOf = (pieces: readonly Piece[]): string =>
  eventsOf(pieces)
    .map((event) => (event.type === 'text-delta' ? event.text : ''))
    .join('');

const said = (delta: string, message: string, finish_reason?: string): Piece => ({
  delta: { role: 'assistant', content: delta },
  message: { role: 'assistant', content: message },
  ...(finish_reason !== undefined && { finish_reason }),
});

describe('what an answer says reaches the caller once', () => {
  test.each<[string, string, readonly Piece[]]>([
    [
      'in deltas, with all so far beside',
      'Hello you',
      [said('Hello', 'Hello'), said(' you', 'Hello you', 'stop')],
    ],
    ['in a message alone', 'Hello', [said('', 'Hello')]],
    ['in a message alone, then its end', 'Hello', [said('', 'Hello'), said('', 'Hello', 'stop')]],
    ['in a message alone, with its end', 'Hello', [said('', 'Hello', 'stop')]],
    [
      'in messages that grow',
      'Hello you',
      [said('', 'Hello'), said('', 'Hello you'), said('', 'Hello you', 'stop')],
    ],
    ['in messages that are pieces', 'Hello you', [said('', 'Hello'), said('', ' you'), said('', '', 'stop')]],
    ['in deltas but for its last word', 'Hello you', [said('Hello', 'Hello'), said('', 'Hello you', 'stop')]],
    ['in deltas, and again trimmed', ' Hello', [said(' Hello', 'Hello'), said('', 'Hello', 'stop')]],
  ])('%s', (_, expected, pieces) => {
    expect(textOf(pieces)).toBe(expected);
  });

  test('calls that only the last message holds', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"x":1}' } }];
    const events = eventsOf([
      said('I look', 'I look'),
      { delta: {}, message: { content: 'I look', tool_calls: calls }, finish_reason: 'tool_calls' },
    ]);
    expect(events.filter(({ type }) => type.startsWith('tool-call') || type === 'finish')).toMatchObject([
      { type: 'tool-call-start', id: 'c', name: 'look' },
      { type: 'tool-call-delta', argumentsText: '{"x":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('calls that a delta told are not told again by the last message', () => {
    const calls = [{ index: 0, id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }];
    const events = eventsOf([
      { delta: { tool_calls: calls }, message: { tool_calls: calls } },
      { delta: {}, message: { tool_calls: calls }, finish_reason: 'tool_calls' },
    ]);
    expect(events.filter(({ type }) => type === 'tool-call-start')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'tool-call-delta')).toHaveLength(1);
  });
});
