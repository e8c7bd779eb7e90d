import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** A container of an upstream is for the user whose call was told of it: callers share the account it is in. */

const OPTION = 'global.account_objects_enabled';
const GPT = 'gpt-in-a-container';
const CLAUDE = 'claude-in-a-container';
const TELLS = 'run some code';
const BREAKS = 'break off';
const RUNS = 'run on';
const USAGE = { input_tokens: 8, output_tokens: 2, total_tokens: 10 };

const event = (value: { type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const call = (container_id: string) => ({
  type: 'code_interpreter_call',
  id: `ci_${container_id}`,
  status: 'completed',
  code: '1',
  container_id,
  outputs: null,
});

let made = 0;
const bodies: string[] = [];

/** Makes a container for who asks for one, and tells of it. */
const responses = (isStream: boolean, isLarge: boolean): string => {
  const text = isLarge ? 'a'.repeat(700_000) : 'Done.';
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
  const id = `cntr_made_${String((made += 1))}`;
  const output = [call(id), { ...message, content: [{ type: 'output_text', text, annotations: [] }] }];
  const response = { id: `resp_${id}`, object: 'response', status: 'completed', output, usage: USAGE };
  if (!isStream) return JSON.stringify(response);
  const item = { ...call(id), status: 'in_progress' };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item: call(id) },
    { type: 'response.completed', response: { ...response, output: [] } },
  ]
    .map(event)
    .join('');
};

const messages = (isStream: boolean): string => {
  const container = { id: `container_made_${String((made += 1))}`, expires_at: '2030-01-01T00:00:00Z' };
  const content = [{ type: 'text', text: 'Done.' }];
  const message = { id: 'm', type: 'message', role: 'assistant', model: CLAUDE };
  if (!isStream)
    return JSON.stringify({ ...message, content, stop_reason: 'end_turn', usage: USAGE, container });
  return [
    { type: 'message_start', message: { ...message, content: [], usage: USAGE, container: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', container }, usage: USAGE },
    { type: 'message_stop' },
  ]
    .map(event)
    .join('');
};

let upstream: Server;
let scene: Scene;
let alice: Spender;
let bob: Spender;

beforeAll(async () => {
  upstream = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      bodies.push(body);
      const isStream = /"stream":\s*true/.test(body);
      const isMessages = request.url?.endsWith('/messages') === true;
      if (body.includes(BREAKS) || body.includes(RUNS)) {
        // The item alone, and then nothing, or the end of the connection.
        const [begun = ''] = responses(true, false).split('event: response.output_item.done');
        reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(begun);
        if (body.includes(BREAKS)) setImmediate(() => reply.destroy());
        return;
      }
      const text = isMessages ? messages(isStream) : responses(isStream, body.includes('at length'));
      reply.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' }).end(text);
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  bob = await scene.spender('bob', 100_000_000);
  await scene.stage.channel(scene.root, { type: 1, baseUrl, models: GPT });
  await scene.stage.channel(scene.root, { type: 14, baseUrl, models: CLAUDE });
  await scene.set('ModelRatio', JSON.stringify({ [GPT]: 1, [CLAUDE]: 1 }));
});
afterAll(async () => {
  await scene.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

const ask = async ({ key }: Spender, body: { readonly model: string }) => {
  const before = bodies.length;
  const path = body.model === GPT ? '/v1/responses' : '/v1/messages';
  const reply = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text(), asked: bodies.length - before };
};

const ofGpt = (more: object = {}) => ({ model: GPT, input: TELLS, store: false, ...more });
const ofClaude = (more: object = {}) => ({
  model: CLAUDE,
  max_tokens: 9,
  messages: [{ role: 'user', content: TELLS }],
  ...more,
});
const tool = (container: unknown) => ({ tools: [{ type: 'code_interpreter', container }] });
const idIn = (text: string): string => /(?:cntr|container)_made_\d+/.exec(text)?.[0] ?? '';
const REFUSED = { status: 400, asked: 0 };

type Way = readonly [how: string, make: () => object, name: (id: string) => object, field: string];
const history = (id: string) => [call(id), { role: 'user', content: 'Go on.' }];
const ways: readonly Way[] = [
  ['a whole response', () => ofGpt(), (id) => ofGpt(tool(id)), 'tools.0.container'],
  ['a stream', () => ofGpt({ stream: true }), (id) => ofGpt(tool(id)), 'tools.0.container'],
  ['a large response', () => ofGpt({ input: 'at length' }), (id) => ofGpt(tool(id)), 'tools.0.container'],
  [
    'a response, named in what it did,',
    () => ofGpt(),
    (id) => ofGpt({ input: history(id) }),
    'input.0.container_id',
  ],
  [
    'a response, named in a large body,',
    () => ofGpt(),
    (id) => ofGpt({ input: 'a'.repeat(700_000), ...tool(id) }),
    'tools.0.container',
  ],
  ['a whole message', () => ofClaude(), (id) => ofClaude({ container: id }), 'container'],
  ['a stream of a message', () => ofClaude({ stream: true }), (id) => ofClaude({ container: { id } }), 'id'],
];

describe('a container that was told of in', () => {
  it.each(ways)('%s is its caller’s alone', async (_, make, name, field) => {
    const told = await ask(alice, make() as { model: string });
    expect([told.status, told.asked]).toEqual([200, 1]);
    const id = idIn(told.text);
    expect(id).not.toBe('');
    const refused = await ask(bob, name(id) as { model: string });
    expect(refused).toMatchObject(REFUSED);
    expect(refused.text).toContain(field);
    expect(refused.text).toContain('was not created by a call of yours');
    expect(await ask(alice, name(id) as { model: string })).toMatchObject({ status: 200, asked: 1 });
  });
});

/** Has an answer begun that tells of a container; reads until it has. */
const begun = async (words: string) => {
  const leaving = new AbortController();
  const reply = await fetch(`${scene.server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ofGpt({ stream: true, input: words })),
    signal: leaving.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (idIn(text) === '') text += (await reader?.read())?.value ?? '';
  return { id: idIn(text), leave: () => leaving.abort(), rest: async () => void (await reader?.read()) };
};

/** That one user may go on with a container, and another may not. */
const expectOwn = async (id: string) => {
  for (const named of [ofGpt(tool(id)), ofGpt({ input: history(id) })])
    expect(await ask(bob, named)).toMatchObject(REFUSED);
  expect(await ask(alice, ofGpt(tool(id)))).toMatchObject({ status: 200, asked: 1 });
};

describe('a container that was told of in an answer without an end is its caller’s alone', () => {
  it('when the upstream breaks off', async () => {
    const { id, rest } = await begun(BREAKS);
    await rest().catch(() => undefined);
    await expect.poll(() => ask(alice, ofGpt(tool(id)))).toMatchObject({ status: 200 });
    await expectOwn(id);
  });

  it('when the caller leaves', async () => {
    const { id, leave } = await begun(RUNS);
    leave();
    await expect.poll(() => ask(alice, ofGpt(tool(id)))).toMatchObject({ status: 200 });
    await expectOwn(id);
  });

  it('while it still runs', async () => {
    const { id, leave } = await begun(RUNS);
    expect(id).toMatch(/^cntr_made_/);
    await expectOwn(id);
    leave();
  });
});

describe('a container that nobody here was told of', () => {
  it('is refused where code would run in it, and goes out in a conversation that began elsewhere', async () => {
    expect(await ask(bob, ofGpt(tool('cntr_elsewhere')))).toMatchObject(REFUSED);
    expect(await ask(bob, ofClaude({ container: 'container_elsewhere' }))).toMatchObject(REFUSED);
    const goesOn = ofGpt({ input: history('cntr_elsewhere') });
    expect(await ask(bob, goesOn)).toMatchObject({ status: 200, asked: 1 });
  });

  it('is refused by the hundred', async () => {
    const input = Array.from({ length: 101 }, (_, at) => call(`cntr_elsewhere_${String(at)}`));
    expect(await ask(bob, ofGpt({ input }))).toMatchObject(REFUSED);
  });

  it('may be named where the operator shares the account with everybody', async () => {
    await scene.set(OPTION, true);
    expect(await ask(bob, ofGpt(tool('cntr_shared')))).toMatchObject({ status: 200, asked: 1 });
    await scene.set(OPTION, false);
    expect(await ask(bob, ofGpt(tool('cntr_shared')))).toMatchObject(REFUSED);
  });
});
