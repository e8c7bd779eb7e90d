import { describe, expect, it } from 'vitest';
import { type Asked, answerAtOnce, begin, end, say } from './testing/responses-upstream.ts';
import type { Event } from './testing/socket-caller.ts';
import { create, MODEL, types, user, useSockets } from './testing/use-sockets.ts';

/** Responses over a WebSocket, as OpenAI documents them and Codex asks for them, through the whole server. */

const use = useSockets();

const idOf = (events: readonly Event[]): unknown => Object(events.at(-1)?.['response']).id;

/** What the upstream says, as it is repeated to it. */
const said = (text: string) => [
  { type: 'reasoning', summary: [], encrypted_content: 'sealed' },
  {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  },
];

describe('a connection', () => {
  it('answers a turn with the events of a stream, and charges it as one call', async () => {
    use.caller().send(create());
    const events = await use.caller().turn();
    expect(types(events)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_text.delta',
      'response.output_item.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(use.asked()[0]?.body).toEqual({
      model: MODEL,
      store: false,
      stream: true,
      input: [user('first')],
    });
    await expect.poll(async () => (await use.charged()).map(({ quotaUnits }) => quotaUnits)).toEqual([120]);
  });

  it('continues what nobody has kept: the next turn is sent with all that came before it', async () => {
    use.caller().send(create());
    await use.caller().turn();
    use.caller().send(create({ previous_response_id: 'resp_1', input: 'second' }));
    expect(idOf(await use.caller().turn())).toBe('resp_2');
    use.caller().send(create({ previous_response_id: 'resp_2', input: [user('third')] }));
    await use.caller().turn();
    const second = [user('first'), ...said('hello'), user('second')];
    expect(use.asked()[1]?.body).toEqual({ model: MODEL, store: false, stream: true, input: second });
    expect(use.asked()[2]?.body['input']).toEqual([...second, ...said('hello'), user('third')]);
    await expect.poll(async () => (await use.charged()).length).toBe(3);
  });

  it('leaves responses to the upstream that keeps them', async () => {
    use.caller().send(create({ store: true }));
    await use.caller().turn();
    use.caller().send(create({ store: true, previous_response_id: 'resp_1', input: [user('second')] }));
    await use.caller().turn();
    expect(use.asked()[1]?.body).toMatchObject({
      previous_response_id: 'resp_1',
      input: [user('second')],
    });
  });

  it('forgets a response after the next one, and says so', async () => {
    use.caller().send(create());
    await use.caller().turn();
    use.caller().send(create());
    await use.caller().turn();
    use.caller().send(create({ previous_response_id: 'resp_1', input: [] }));
    expect(await use.caller().turn()).toMatchObject([
      {
        type: 'error',
        status: 400,
        error: {
          type: 'invalid_request_error',
          code: 'previous_response_not_found',
          param: 'previous_response_id',
        },
      },
    ]);
    use.caller().send(create({ previous_response_id: 'resp_2', input: [] }));
    expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
  });

  it('ends a response that is interrupted, charges what was said, and continues what was whole of it', async () => {
    const whole = {
      type: 'function_call',
      call_id: 'call_1',
      name: 'read',
      arguments: '{}',
      status: 'completed',
    };
    const stopped: Promise<void>[] = [];
    use.answerBy((asked, number) => {
      if (number > 1) return answerAtOnce(asked, number);
      begin(asked, 'resp_1');
      const item = { ...whole, id: 'fc_1' };
      const done = { type: 'response.output_item.done', output_index: 0, item };
      asked.response.write(`event: ${done.type}\ndata: ${JSON.stringify(done)}\n\n`);
      say(asked, 'word '.repeat(50));
      stopped.push(asked.gone);
    });
    const interrupt = { type: 'response.interrupt', response_id: 'resp_1', mode: 'discard_partial_items' };
    use.caller().send(create());
    for (let event = await use.caller().next(); event?.['type'] !== 'response.output_text.delta';)
      event = await use.caller().next();
    use.caller().send({ ...interrupt, response_id: 'resp_other' });
    expect(await use.caller().turn()).toMatchObject([{ error: { code: 'response_not_found' } }]);
    use.caller().send(interrupt);
    expect((await use.caller().turn()).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        id: 'resp_1',
        status: 'incomplete',
        incomplete_details: { reason: 'interrupted' },
        output: [{ ...whole, id: 'fc_1' }],
      },
    });
    await Promise.all(stopped);
    const charges = async () => (await use.charged()).map(({ quotaUnits }) => quotaUnits > 0);
    expect(await charges()).toEqual([true]);
    // It has ended by now, and said so.
    use.caller().send(interrupt);
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'read' };
    use.caller().send(create({ previous_response_id: 'resp_1', input: [result, user('rather this')] }));
    expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
    expect(use.asked()[1]?.body['input']).toEqual([user('first'), whole, result, user('rather this')]);
    await expect.poll(charges).toEqual([true, true]);
  });

  it('prepares a turn without asking an upstream, and without charge', async () => {
    use.caller().send(create({ generate: false, input: [user('before')] }));
    const events = await use.caller().turn();
    expect(types(events)).toEqual(['response.created', 'response.in_progress', 'response.completed']);
    expect(use.asked()).toHaveLength(0);
    use.caller().send(create({ previous_response_id: idOf(events) }));
    await use.caller().turn();
    expect(use.asked()[0]?.body['input']).toEqual([user('before'), user('first')]);
    expect(await use.charged()).toHaveLength(1);
  });

  it.each([
    ['no JSON', '{"type":"response.create"', 'invalid_json'],
    ['no object', '[]', 'invalid_json'],
    ['no type', '{}', 'missing_required_parameter'],
    ['another type', '{"type":"response.dance"}', 'invalid_value'],
    ['a lane without a name', create({ stream_id: '' }), 'invalid_stream_id'],
    ['work in the background', create({ background: true }), 'unsupported_parameter'],
    ['a model nobody serves', create({ model: 'gpt-none' }), 'model_not_found'],
  ])('refuses %s by an event, and goes on', async (_, event, code) => {
    use.caller().send(event);
    expect(await use.caller().turn()).toMatchObject([{ type: 'error', error: { code } }]);
    use.caller().send(create());
    expect(types(await use.caller().turn()).at(-1)).toBe('response.completed');
  });

  it("tells an upstream's error with its status", async () => {
    use.answerBy(({ response }) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { message: 'bad tool', type: 'invalid_request_error', param: 'tools' } }),
      );
    });
    use.caller().send(create());
    expect(await use.caller().turn()).toMatchObject([
      { type: 'error', status: 400, error: { type: 'invalid_request_error', param: 'tools' } },
    ]);
  });

  it('ends a response whose upstream broke off, and forgets what it continued', async () => {
    use.caller().send(create());
    await use.caller().turn();
    let broken: Asked | undefined;
    use.answerBy((asked, number) => {
      broken = asked;
      begin(asked, `resp_${String(number)}`);
      say(asked, 'half');
    });
    use.caller().send(create({ previous_response_id: 'resp_1' }));
    for (let event = await use.caller().next(); event?.['type'] !== 'response.output_text.delta';)
      event = await use.caller().next();
    broken?.response.destroy();
    const events = await use.caller().turn();
    expect(['error', 'response.failed']).toContain(events.at(-1)?.['type']);
    use.answerBy(answerAtOnce);
    use.caller().send(create({ previous_response_id: 'resp_1' }));
    const next = async () => (await use.caller().turn()).find(({ type }) => type !== 'response.failed');
    expect(await next().then((event) => event ?? next())).toMatchObject({
      error: { code: 'previous_response_not_found' },
    });
  });
});

describe('lanes', () => {
  it('run beside each other, and each in its order', async () => {
    const waiting: Asked[] = [];
    use.answerBy((asked) => void waiting.push(asked));
    use.caller().send(create({ stream_id: 'a', input: 'a1' }));
    use.caller().send(create({ stream_id: 'a', input: 'a2' }));
    use.caller().send(create({ stream_id: 'b', input: 'b1' }));
    await expect.poll(() => waiting.length).toBe(2);
    const [a1, b1] = waiting.splice(0);
    if (a1 === undefined || b1 === undefined) throw new Error('two were asked');
    begin(b1, 'resp_b1');
    end(b1, 'resp_b1', 'b');
    const ofB = await use.caller().turn();
    expect(new Set(ofB.map((event) => event['stream_id']))).toEqual(new Set(['b']));
    begin(a1, 'resp_a1');
    end(a1, 'resp_a1', 'a');
    await use.caller().turn();
    await expect.poll(() => waiting.length).toBe(1);
    const [a2] = waiting;
    if (a2 === undefined) throw new Error('a third was asked');
    begin(a2, 'resp_a2');
    end(a2, 'resp_a2', 'a');
    expect(idOf(await use.caller().turn())).toBe('resp_a2');
    use.answerBy(answerAtOnce);
    use.caller().send(create({ stream_id: 'c', previous_response_id: 'resp_b1', input: 'fork' }));
    await use.caller().turn();
    expect(use.asked().at(-1)?.body['input']).toHaveLength(4);
  });

  it('are thirty-two at most', async () => {
    for (let lane = 0; lane < 32; lane += 1) {
      use.caller().send(create({ stream_id: `lane-${String(lane)}`, generate: false }));
      await use.caller().turn();
    }
    use.caller().send(create({ stream_id: 'lane-x', generate: false }));
    expect(await use.caller().turn()).toMatchObject([
      { type: 'error', stream_id: 'lane-x', error: { code: 'websocket_stream_limit_reached' } },
    ]);
  });
});

it('leaves sound books', () => expect.poll(use.brokenBooks).toEqual([]));
