import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import type { Frame } from '../../frame.ts';
import { writeFrame } from '../../sse.ts';
import { responsesReply } from '../../testing/responses-replies.ts';
import { writeStream } from '../../testing/streams.ts';
import { openaiResponses } from '../openai-responses.ts';
import { ShownItems } from './shown-items.ts';

const bodyOf = ({ data }: Frame): Fields => JSON.parse(data.toString()) as Fields;

/** What the caller of a stream that is ended before this frame has got in all. */
const cutBefore = (frames: readonly Frame[], at: number, shown = new ShownItems()): Fields[] => {
  const next = frames[at];
  if (next === undefined) throw new Error('no such frame');
  const passed = frames.slice(0, at);
  for (const { raw } of passed) shown.add(raw);
  const end = openaiResponses.endAtLimit({
    first: frames.slice(0, 1),
    next,
    openChoices: [0],
    usage: undefined,
    shown,
  });
  return [...passed, ...end].map(bodyOf);
};

/** The joined deltas by item: text, refusals, reasoning, arguments, input. */
const saidIn = (bodies: readonly Fields[]): Record<string, string> => {
  const said: Record<string, string> = {};
  for (const { type, output_index: index, delta } of bodies)
    if (String(type).endsWith('.delta') && typeof delta === 'string' && !String(type).includes('audio'))
      said[String(index)] = (said[String(index)] ?? '') + delta;
  return said;
};
const textOfItem = (item: Fields): string =>
  [
    item['arguments'],
    item['input'],
    ...[...listOf(item['summary']), ...listOf(item['content'])].map(textOfPart),
  ]
    .filter((text) => typeof text === 'string')
    .join('');
const textOfPart = (part: unknown): unknown => fieldsOf(part)['text'] ?? fieldsOf(part)['refusal'];

describe('a stream that is ended here as long enough', () => {
  test('repeats what it has shown, finishes every item once, and counts on', async () => {
    await fc.assert(
      fc.asyncProperty(responsesReply, fc.nat(), async (events, place) => {
        const frames: Frame[] = [];
        for await (const frame of writeStream(openaiResponses, events)) frames.push(frame);
        const at = 2 + (place % (frames.length - 2));
        const bodies = cutBefore(frames, at);
        const last = fieldsOf(bodies.at(-1)?.['response']);
        expect(last).toMatchObject({
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
        });
        const output = listOf(last['output']).map(fieldsOf);
        for (const [index, text] of Object.entries(saidIn(bodies)))
          expect(textOfItem(output[Number(index)] ?? {})).toContain(text);
        const of = (type: string) => bodies.filter((body) => body['type'] === `response.output_item.${type}`);
        expect(of('done').map((body) => body['output_index'])).toHaveLength(of('added').length);
        for (const { output_index: index, item } of of('done')) expect(output[Number(index)]).toEqual(item);
        expect(bodies.map((body) => body['sequence_number'])).toEqual(bodies.map((_, number) => number));
      }),
    );
  });

  test('that was nearly whole repeats the items as its upstream would have', async () => {
    await fc.assert(
      fc.asyncProperty(responsesReply, async (events) => {
        const frames: Frame[] = [];
        for await (const frame of writeStream(openaiResponses, events)) frames.push(frame);
        const whole = fieldsOf(bodyOf(frames.at(-1) ?? writeFrame('{}'))['response']);
        const bodies = cutBefore(frames, frames.length - 1);
        expect(fieldsOf(bodies.at(-1)?.['response'])['output']).toEqual(whole['output']);
      }),
    );
  });

  test('says that what it was writing is incomplete', () => {
    const added = { type: 'message', id: 'msg_1', status: 'in_progress', role: 'assistant', content: [] };
    const frames = [
      { type: 'response.created', response: { id: 'resp_1', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: added },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'he' },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'llo' },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: ' not paid' },
    ].map((body, number) => writeFrame(JSON.stringify({ sequence_number: number, ...body }), body.type));
    const part = { type: 'output_text', text: 'hello' };
    const item = { ...added, status: 'incomplete', content: [part] };
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    expect(cutBefore(frames, 4).slice(4)).toMatchObject([
      { type: 'response.output_text.done', sequence_number: 4, ...at, text: 'hello' },
      { type: 'response.content_part.done', sequence_number: 5, ...at, part },
      { type: 'response.output_item.done', sequence_number: 6, output_index: 0, item },
      { type: 'response.incomplete', sequence_number: 7, response: { output: [item] } },
    ]);
  });

  test('remembers a long answer as text, and none that is longer than memory allows', () => {
    const begin = { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } };
    const piece = {
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      delta: 'x'.repeat(1e6),
    };
    const kept = (pieces: number) => {
      const shown = new ShownItems();
      shown.add(writeFrame(JSON.stringify(begin)).raw);
      const { raw } = writeFrame(JSON.stringify(piece));
      for (let count = 0; count < pieces; count += 1) shown.add(raw);
      const closed = shown.close();
      shown.drop();
      return closed;
    };
    expect(textOfItem(kept(10)?.items[0] ?? {})).toHaveLength(10e6);
    expect(kept(20)).toBeUndefined();
  });

  test('counts what small pieces take, and all streams together', () => {
    const opened: ShownItems[] = [];
    const begun = (): ShownItems => {
      const shown = new ShownItems();
      const item = { type: 'function_call', arguments: '' };
      shown.add(
        writeFrame(JSON.stringify({ type: 'response.output_item.added', output_index: 0, item })).raw,
      );
      opened.push(shown);
      return shown;
    };
    const fill = (shown: ShownItems, delta: string, times: number): ShownItems => {
      const piece = { type: 'response.function_call_arguments.delta', output_index: 0, delta };
      const { raw } = writeFrame(JSON.stringify(piece));
      for (let count = 0; count < times; count += 1) shown.add(raw);
      return shown;
    };
    // The text is short, what it is joined from is not.
    expect(fill(begun(), 'x', 260_000).close()).toBeUndefined();
    const large = 'x'.repeat(1e6);
    const kept = Array.from({ length: 30 }, () => fill(begun(), large, 10).close());
    expect(kept.filter((closed) => closed !== undefined)).toHaveLength(26);
    for (const shown of opened) shown.drop();
    expect(fill(begun(), large, 10).close()).toBeDefined();
    for (const shown of opened) shown.drop();
  });

  test('an item that is done takes what it is, not also what its pieces were', () => {
    const shown = new ShownItems();
    const say = (body: object): void => shown.add(writeFrame(JSON.stringify(body)).raw);
    for (let index = 0; index < 3; index += 1) {
      const item = { type: 'function_call', arguments: '' };
      say({ type: 'response.output_item.added', output_index: index, item });
      for (let count = 0; count < 100_000; count += 1)
        say({ type: 'response.function_call_arguments.delta', output_index: index, delta: 'x' });
      const done = { ...item, arguments: 'x'.repeat(100_000) };
      say({ type: 'response.output_item.done', output_index: index, item: done });
    }
    expect(shown.close()?.items).toHaveLength(3);
    shown.drop();
  });

  test('takes no place that an upstream made up', () => {
    const shown = new ShownItems();
    const item = { type: 'message', content: 'none' };
    for (const body of [
      { type: 'response.output_item.added', output_index: 1e9, item },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_text.delta', output_index: 0, content_index: 900, delta: 'x' },
      { type: 'response.output_text.delta', output_index: 7, content_index: 0, delta: 'x' },
      { type: 'response.content_part.added', output_index: 0, content_index: 0, part: null },
    ])
      shown.add(writeFrame(JSON.stringify(body)).raw);
    expect(shown.close()?.items).toEqual([{ type: 'message', content: [] }]);
  });
});
