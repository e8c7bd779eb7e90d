import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/server/core/secrets/secret.ts';
import { createModelLists } from '../../src/server/control/channels/checks/upstreams.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { createSender } from '../../src/server/outbound/send.ts';
import { providerOf, relayedTypes } from '../../src/server/providers/registry.ts';
import { channelOf } from '../../src/server/core/channel/testing/channel.ts';
import { systemClock as clock } from '../../src/server/system.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { callerRequest } from '../support/caller-request.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { geminiAnswer, messagesAnswer, responsesAnswer } from '../support/upstreams/scripted-formats.ts';
import { everyWire } from '../../src/server/providers/testing/every-wire.ts';
import { startScriptedWires } from './scripted-wires.ts';
import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  type Json,
  PROMPT_TOKENS,
  TEXT,
  type Wire,
} from '../../src/server/providers/testing/wire.ts';

/** Every kind of upstream, called through the gateway; the upstream answers in the format its provider publishes. */

const rows = everyWire.map((wire, index) => ({ ...wire, index }));
const moods = ['good', 'bad', 'rate'] as const;
type Mood = (typeof moods)[number];

const SAID = 'The other format answers as well.';

/** The answer at a native path in another format than the wire's main one. */
const native = (path: string, _: Json, stream: boolean) => {
  const write = NATIVE.find(([shape]) => shape.test(path))?.[1];
  const answer = write?.({ text: SAID });
  if (answer === undefined) return undefined;
  sentLast = stream ? answer.events() : JSON.stringify(answer.whole);
  return { contentType: stream ? 'text/event-stream' : 'application/json', bytes: sentLast };
};
let sentLast = '';

const NATIVE = [
  [/\/messages$/, messagesAnswer],
  [/\/responses(?:\?|$)/, responsesAnswer],
  [/:(?:streamGenerateContent|generateContent)/, geminiAnswer],
] as const;

let upstream: Awaited<ReturnType<typeof startScriptedWires>>;
let rig: Rig;
const sender = createSender({ clock, allowAddress: () => true });

const addressOf = ({ type }: Wire, index: number, mood: Mood): string => {
  const address = upstream.addressOf(index, mood);
  return type === 8 ? `${address}/whole/{model}/address` : address;
};
const nameOf = (index: number, mood: Mood): string => `${mood}-${String(index)}`;

beforeAll(async () => {
  upstream = await startScriptedWires(everyWire, native);
  const channels = everyWire.flatMap((wire, index) =>
    moods.map((mood) => ({
      type: wire.type,
      baseUrl: addressOf(wire, index, mood),
      encryptedKey: wire.key,
      other: wire.other ?? '',
      models: nameOf(index, mood),
      modelMapping: JSON.stringify({ [nameOf(index, mood)]: wire.model }),
    })),
  );
  const names = channels.map(({ models }) => [models, 1] as const);
  rig = await startRig(channels, {
    ModelRatio: Object.fromEntries(names),
    RetryTimes: 0,
    AutomaticDisableChannelEnabled: true,
  });
});
afterAll(async () => {
  await rig.stop();
  await sender.close();
  await upstream.stop();
});

const QUESTION = { role: 'user', content: 'Is all well?' };
const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

const post = (path: string, body: Json): Promise<Response> =>
  fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const ask = (model: string, beside: Json = {}): Promise<Response> =>
  post('/v1/chat/completions', { model, messages: [QUESTION], max_tokens: 100, ...beside });

const saidBy = async (response: Response, { stream }: { readonly stream: boolean }) => {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(bytes.toString());
  return saidIn(await eventsOf(chatDialects['openai-chat'], bytes, { stream }));
};

const STREAM = { stream: true, stream_options: { include_usage: true } };

type Row = (typeof rows)[number];
const good = ({ index }: Row): string => nameOf(index, 'good');
const idOf = ({ index }: Row, mood: Mood): number => index * moods.length + moods.indexOf(mood) + 1;
const disabled = (): number[] => rig.disabled.map(({ id }) => id);

/** AI Proxy reports no usage, so callers get our own count, or none. */
const counted = ({ tellsUsage }: Wire, usage: unknown) =>
  tellsUsage ? expect.objectContaining({ prompt: PROMPT_TOKENS, completion: COMPLETION_TOKENS }) : usage;

const matching = (headers: Wire['headers']) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, wanted]) => [
      name,
      typeof wanted === 'string' ? wanted : expect.stringMatching(wanted),
    ]),
  );

describe.each(rows)('$type $name ($reference)', (wire) => {
  test('a whole chat arrives where it should, with its key, and its answer says what it said', async () => {
    const said = await saidBy(await ask(good(wire)), { stream: false });
    expect(said).toMatchObject({ text: TEXT, finish: ['stop'], calls: [] });
    expect(said.usage).toEqual(counted(wire, said.usage));
    const { method, path, headers, body } = upstream.last();
    expect({ method, path }).toEqual({ method: 'POST', path: wire.chat });
    expect(headers).toMatchObject(matching(wire.headers));
    expect(body).toMatchObject(wire.asks);
  });

  test('a stream says the same', async () => {
    const said = await saidBy(await ask(good(wire), STREAM), { stream: true });
    expect(said).toMatchObject({ text: TEXT, finish: ['stop'], calls: [], error: undefined });
    expect(said.usage).toEqual(counted(wire, said.usage));
    expect(upstream.last().path).toBe(wire.streamed ?? wire.chat);
  });

  test('a key that is refused switches the channel off, and the caller learns nothing of it', async () => {
    const response = await ask(nameOf(wire.index, 'bad'));
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain(wire.key);
    expect(disabled()).toContain(idOf(wire, 'bad'));
  });

  test('a rate limit is reported as such, and switches nothing off', async () => {
    const response = await ask(nameOf(wire.index, 'rate'), { stream: true });
    expect(response.status).toBe(429);
    expect(disabled()).not.toContain(idOf(wire, 'rate'));
  });
});

describe.each(rows.filter(({ offersTools }) => offersTools))('tools of $type $name', (wire) => {
  test.each([false, true])('are called, and their results taken (stream: %s)', async (stream) => {
    const messages = [{ role: 'user', content: 'weather in Paris' }];
    const beside = stream ? STREAM : {};
    const said = await saidBy(await ask(good(wire), { tools: TOOLS, messages, ...beside }), { stream });
    expect(said).toMatchObject({
      calls: [{ name: 'get_weather', arguments: ARGUMENTS }],
      finish: ['tool-calls'],
    });
    const id = said.calls[0]?.id ?? '';
    const made = { id, type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };
    const turn = [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [made] },
      { role: 'tool', tool_call_id: id, content: 'sunny' },
    ];
    expect(
      (await saidBy(await ask(good(wire), { tools: TOOLS, messages: turn }), { stream: false })).text,
    ).toBe(TEXT);
  });
});

test.each(rows.filter(({ offersTools }) => !offersTools))(
  '$type $name refuses tools by their name',
  async (wire) => {
    const response = await ask(good(wire), { tools: TOOLS });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('tools');
  },
);

test.each(rows.filter(({ models }) => models !== undefined))('$type $name lists its models', async (wire) => {
  const upstreams = createModelLists({ upstreamOf: providerOf, sender, checkUrl: () => undefined, clock });
  const channel = channelOf(wire.type, {
    baseUrl: addressOf(wire, wire.index, 'good'),
    key: new Secret(wire.key),
    other: wire.other ?? '',
  });
  expect(await upstreams.listModels(channel)).toEqual(wire.models?.names);
  const { method, path, headers } = upstream.last();
  expect({ method, path }).toEqual({ method: 'GET', path: wire.models?.path });
  const proofs = Object.entries(wire.headers).filter(([name]) => /key|authorization/.test(name));
  expect(headers).toMatchObject(matching(Object.fromEntries(proofs)));
});

const nativesOf = ({ type, model, key }: Wire) => {
  const provider = providerOf(type);
  return provider?.dialectFor?.(model, channelOf(type, { key: new Secret(key) })) === undefined
    ? (provider?.natives ?? [])
    : [];
};
const pairs = rows.flatMap((wire) =>
  nativesOf(wire).flatMap((dialect) =>
    [false, true].map((stream) => ({ ...wire, wire, dialect, format: dialect.name, stream })),
  ),
);

test.each(pairs)(
  '$type $name gives a caller of $format the bytes it sends (stream: $stream)',
  async ({ wire, dialect, format, stream }) => {
    const { path, body } = callerRequest(format, good(wire), { stream });
    const response = await post(path, body);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(saidIn(await eventsOf(dialect, Buffer.from(text), { stream })).text).toBe(SAID);
    expect(text).toBe(sentLast);
    expect(upstream.last().path).not.toBe(wire.chat);
  },
);

test("Cloudflare's answer in JSON, which it gives as an object, reaches callers of other formats as text", async () => {
  const wire = rows.find(({ type }) => type === 39);
  if (wire === undefined) throw new Error('no wire');
  const { path, body } = callerRequest('anthropic-messages', good(wire), { stream: false });
  const messages = [{ role: 'user', content: 'answer in JSON' }];
  const said = (await (await post(path, { ...body, messages })).json()) as { readonly content: unknown };
  expect(said.content).toEqual([expect.objectContaining({ type: 'text', text: '{"well":true}' })]);
});

test('every provider with chats is tested', () => {
  const chatting = relayedTypes.filter((type) => providerOf(type)?.offers.chat !== undefined);
  // Vertex has its own test, because its keys sign requests.
  expect(chatting.filter((type) => !everyWire.some((wire) => wire.type === type))).toEqual([41]);
});
