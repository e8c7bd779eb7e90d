import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import { type CreateEvent, laneOf, readClientEvent } from './client-event.ts';
import { continuedItems, TurnOutput } from './reply/turn-output.ts';
import { SseParser, writeFrame } from '../sse.ts';

const read = (event: object | string): CreateEvent => {
  const data = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  const read = readClientEvent(data);
  if (read.type !== 'create') throw new Error('no create');
  return read;
};
const bodyOf = (event: CreateEvent, history?: readonly Buffer[]): unknown =>
  JSON.parse(Buffer.concat(event.body(history)).toString());

const thrownBy = (event: object | string) => {
  try {
    read(event);
    return undefined;
  } catch (thrown) {
    return asAppError(thrown);
  }
};

const items = fc.array(fc.record({ type: fc.constant('message'), content: fc.string() }), { maxLength: 4 });

describe('the body of a turn', () => {
  test('is that of the same call over HTTP, whatever its fields are', () => {
    const fields = fc.dictionary(
      fc.string().filter((name) => !['type', 'input', 'stream', 'background', '__proto__'].includes(name)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fields, items, (more, input) => {
        const { stream_id: _, generate: __, ...rest } = more;
        const event = read({ ...rest, type: 'response.create', stream_id: 'a', background: false, input });
        expect(bodyOf(event)).toEqual(JSON.parse(JSON.stringify({ ...rest, stream: true, input })));
      }),
    );
  });

  test('has what came before ahead of its own input, however both are divided', () => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 4 }), items, (before, input) => {
        const lists = before.map((list) => Buffer.from(JSON.stringify(list).slice(1, -1)));
        const event = read({ previous_response_id: 'resp_1', type: 'response.create', input, model: 'm' });
        expect(bodyOf(event, lists)).toEqual({
          stream: true,
          model: 'm',
          input: [...before.flat(), ...input],
        });
      }),
    );
  });

  test('has a text as the message of a user', () => {
    const event = read('{"type": "response.create", "input" : "say \\"hi\\"" }');
    expect(bodyOf(event, [])).toEqual({
      stream: true,
      input: [{ type: 'message', role: 'user', content: 'say "hi"' }],
    });
  });
});

describe('an event', () => {
  test('says what the connection needs of it', () => {
    const event = {
      type: 'response.create',
      stream_id: 'a.b-c_1',
      generate: false,
      store: false,
      model: 'm',
    };
    expect(read({ ...event, previous_response_id: 'resp_1', conversation: 'conv_1' })).toMatchObject({
      streamId: 'a.b-c_1',
      generates: false,
      previousId: 'resp_1',
      mayBeKept: false,
      isOfConversation: true,
      model: 'm',
    });
    expect(read({ type: 'response.create', previous_response_id: null })).toMatchObject({
      streamId: undefined,
      generates: true,
      previousId: undefined,
      mayBeKept: true,
      isOfConversation: false,
    });
  });

  test.each(['', 'not json', '{', '[]', '"text"', '{"type":', '{"type" "response.create"}', '{1:2}', 'null'])(
    'that is no JSON object is refused: %s',
    (text) => expect(thrownBy(text)?.code).toBe('invalid_request'),
  );

  test('of very many values is refused before it is taken apart', () => {
    const error = thrownBy({ type: 'response.create', input: Array.from({ length: 200_000 }, () => 1) });
    expect(error?.code).toBe('payload_too_large');
  });

  test('with an invalid lane is refused in OpenAI’s words', () => {
    for (const stream_id of ['', 'a b', 'x'.repeat(257), 7, {}])
      expect(thrownBy({ type: 'response.create', stream_id })?.reason).toBe('invalid_stream_id');
  });

  test('whose lane is readable gets its error there', () => {
    expect(laneOf(Buffer.from('{"type":"other","stream_id":"a"}'))).toBe('a');
    for (const text of ['{"stream_id":', '[]', '{"stream_id":""}', '{}'])
      expect(laneOf(Buffer.from(text))).toBeUndefined();
  });

  test('that interrupts a response names it, and says how', () => {
    const event = { type: 'response.interrupt', response_id: 'resp_1', mode: 'discard_partial_items' };
    expect(readClientEvent(Buffer.from(JSON.stringify(event)))).toEqual({
      type: 'interrupt',
      responseId: 'resp_1',
    });
    for (const wrong of [{ response_id: '' }, { response_id: 7 }, { mode: 'keep' }, { mode: undefined }])
      expect(thrownBy({ ...event, ...wrong })?.code).toBe('invalid_request');
  });

  test('that acknowledges a response needs no action', () => {
    const event = { type: 'response.processed', response_id: 'resp_1' };
    expect(readClientEvent(Buffer.from(JSON.stringify(event)))).toEqual({ type: 'acknowledged' });
  });
});

describe('what a response said', () => {
  const hear = (events: readonly object[], named: boolean) => {
    const output = new TurnOutput();
    const parser = new SseParser();
    const raw = events.map(
      (event) => writeFrame(JSON.stringify(event), named ? (event as { type: string }).type : '').raw,
    );
    return parser.feed(Buffer.concat(raw)).map((frame) => output.read(frame));
  };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
  const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
  const picture = { type: 'image_generation_call', id: 'ig_1', result: 'AA' };
  const completed = (output: unknown) => ({
    type: 'response.completed',
    response: { id: 'resp_1', output },
  });

  test.each([true, false])('is its items without ids that only the upstream knows (named: %s)', (named) => {
    const events = [sealed, message, picture].map((item) => ({ type: 'response.output_item.done', item }));
    const last = hear([...events, completed([])], named).at(-1);
    const { id: _, ...thought } = sealed;
    const { id: __, ...text } = message;
    expect(last).toEqual({
      type: 'ended',
      id: 'resp_1',
      items: [thought, text, picture],
      isWhole: true,
    });
  });

  test('is what the last event repeats, where items were not sent alone', () => {
    expect(hear([completed([picture])], true)).toEqual([
      { type: 'ended', id: 'resp_1', items: [picture], isWhole: true },
    ]);
  });

  test('has no thoughts that only the upstream could read', () => {
    const plain = { type: 'reasoning', id: 'rs_1', summary: [] };
    expect(hear([completed([plain])], true)).toEqual([
      { type: 'ended', id: 'resp_1', items: [], isWhole: true },
    ]);
  });

  test('starts over after a compaction', () => {
    const compacted = { type: 'compaction', encrypted_content: 'all' };
    const lists = continuedItems([Buffer.from('{"type":"message"}')], [message, compacted, picture]);
    expect(JSON.parse(`[${Buffer.concat([...lists]).toString()}]`)).toEqual([compacted, picture]);
  });
});
