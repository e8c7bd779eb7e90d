import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Asked } from './testing/responses-upstream.ts';
import { create, MODEL, types, useSockets } from './testing/use-sockets.ts';

/** Service tiers of responses, over a WebSocket, whole and as a stream: priced as served, and by what the group allows. */

const use = useSockets();
/** What the upstream says it served; undefined where it says nothing. */
let served: string | undefined;

const USAGE = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
const output = [
  {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'yes' }],
  },
];

const answer = ({ body, response }: Asked): void => {
  const tier = served === undefined ? {} : { service_tier: served };
  const whole = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: MODEL,
    status: 'completed',
    output,
  };
  const done = { ...whole, usage: USAGE, ...tier };
  if (body['stream'] !== true) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...fields })}\n\n`);
  // What it was asked for is repeated at first, and only the end tells what was served.
  say('response.created', {
    response: { ...whole, status: 'in_progress', output: [], service_tier: body['service_tier'] ?? 'auto' },
  });
  say('response.output_text.delta', { item_id: 'm', output_index: 0, content_index: 0, delta: 'yes' });
  say('response.completed', { response: done });
  response.end();
};

beforeAll(async () => {
  const dimensions = { tiers: { priority: 2, flex: 0.5 } };
  await use.scene().set('PriceDimensions', JSON.stringify({ [MODEL]: dimensions }));
});
afterEach(() => use.scene().set('GroupServiceTerms', '{}'));

/** How a response is asked for; each says whether it was answered. */
const ways = {
  'over a WebSocket': async (fields: object) => {
    use.caller().send(create(fields));
    return types(await use.caller().turn()).at(-1) === 'response.completed';
  },
  'as a stream': (fields: object) => posted({ ...fields, stream: true }),
  whole: (fields: object) => posted(fields),
};
const posted = async (fields: object): Promise<boolean> => {
  const reply = await fetch(`${use.scene().server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${use.spender().key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, input: 'first', ...fields }),
  });
  await reply.text();
  return reply.status === 200;
};

const charged = async () => {
  await expect.poll(async () => (await use.charged()).length).toBe(1);
  const [row] = await use.charged();
  return {
    units: row?.quotaUnits,
    service: (JSON.parse(row?.other ?? '{}') as { service?: unknown }).service,
  };
};

describe.each(Object.entries(ways))('a response %s', (_, ask) => {
  it.each<[string, string | undefined, number]>([
    ['priority', 'priority', 240],
    ['priority', 'default', 120],
    ['priority', undefined, 240],
    ['flex', 'flex', 60],
    ['flex', 'default', 120],
  ])('asked for %s and served %s costs what was served', async (tier, told, units) => {
    use.answerBy(answer);
    served = told;
    expect(await ask({ service_tier: tier })).toBe(true);
    expect(use.asked().at(-1)?.body['service_tier']).toBe(tier);
    expect(await charged()).toMatchObject({ units, service: { sent: { tier } } });
  });

  it('goes out without a tier where the group leaves it out', async () => {
    await use.scene().set('GroupServiceTerms', JSON.stringify({ default: 'strip' }));
    use.answerBy(answer);
    served = 'default';
    expect(await ask({ service_tier: 'priority' })).toBe(true);
    expect(use.asked().at(-1)?.body).not.toHaveProperty('service_tier');
    expect((await charged()).units).toBe(120);
  });

  it('is refused where the group refuses it, and the upstream hears nothing', async () => {
    await use.scene().set('GroupServiceTerms', JSON.stringify({ default: 'refuse' }));
    use.answerBy(answer);
    expect(await ask({ service_tier: 'priority' })).toBe(false);
    expect(await ask({ service_tier: 'flex', extra_body: {} })).toBe(false);
    expect(use.asked()).toHaveLength(0);
    expect(await use.charged()).toEqual([]);
  });
});

it('turns of one connection are each charged as served, with what was asked for in each row', async () => {
  use.answerBy((asked: Asked) => {
    served = asked.body['service_tier'] === 'flex' ? 'priority' : 'flex';
    answer(asked);
  });
  for (const fields of [{}, { service_tier: 'flex' }, { service_tier: 'priority' }])
    expect(await ways['over a WebSocket'](fields)).toBe(true);
  await expect.poll(async () => (await use.charged()).length).toBe(3);
  const rows = (await use.charged()).map(({ quotaUnits, other }) => {
    const { service } = JSON.parse(other) as { service?: unknown };
    return { quotaUnits, service };
  });
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([
      { quotaUnits: 60, service: { sent: {}, served: { tier: 'flex' } } },
      { quotaUnits: 240, service: { sent: { tier: 'flex' }, served: { tier: 'priority' } } },
      { quotaUnits: 60, service: { sent: { tier: 'priority' }, served: { tier: 'flex' } } },
    ]),
  );
});
