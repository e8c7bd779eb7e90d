import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify, importSPKI } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { OutboundReply, Sender } from '#core/outbound/outbound.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { JournalEntry } from '../../simulator/journal.ts';
import { startSimulator, type RunningSimulator } from '../../simulator/start.ts';
import { readFrames } from '../dialects/sse.ts';
import { fold } from '../dialects/testing/fold.ts';
import { providerOf } from './registry.ts';
import { createSender } from '../outbound/send.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { readStream } from '../dialects/testing/streams.ts';
import { writtenFor } from '../dialects/upstream.ts';
import { systemClock } from '../system.ts';

let simulator: RunningSimulator;
let sender: Sender;

beforeAll(async () => {
  simulator = await startSimulator();
  sender = createSender({ clock: systemClock, allowAddress: () => true });
});
beforeEach(() => simulator.reset());
afterAll(async () => {
  await sender.close();
  await simulator.stop();
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const account = (name: string): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'project-1',
    private_key_id: 'key-1',
    private_key: privateKey,
    client_email: `${name}@project-1.iam.example`,
    token_uri: `${simulator.url}/google/token`,
  });

interface Kind {
  readonly type: number;
  readonly model: string;
  readonly key: () => string;
  readonly path: RegExp;
}
const kinds: Readonly<Record<string, Kind>> = {
  'Anthropic (platform.claude.com/docs, Messages)': {
    type: 14,
    model: 'claude-sonnet-4-6',
    key: () => 'sk-ant-1',
    path: /^\/v1\/messages$/,
  },
  'Bedrock, signed (docs.aws.amazon.com/bedrock, InvokeModel)': {
    type: 33,
    model: 'claude-sonnet-4-6',
    key: () => 'AKIDEXAMPLE|secret|us-east-1',
    path: /^\/model\/us\.anthropic\.claude-sonnet-4-6\/invoke/,
  },
  'Bedrock, with an API key': {
    type: 33,
    model: 'claude-haiku-4-5',
    key: () => 'ABSKone|eu-west-1',
    path: /^\/model\/eu\.anthropic\.claude-haiku-4-5-20251001-v1%3A0\/invoke/,
  },
  'Claude at Vertex (cloud.google.com/vertex-ai, Claude)': {
    type: 41,
    model: 'claude-haiku-4-5-20251001',
    key: () => account('one'),
    path: /^\/v1\/projects\/project-1\/locations\/us-east5\/publishers\/anthropic\/models\/claude-haiku-4-5@20251001:/,
  },
  'Gemini at Vertex (cloud.google.com/vertex-ai, generateContent)': {
    type: 41,
    model: 'gemini-2.5-flash',
    key: () => account('two'),
    path: /^\/v1\/projects\/project-1\/locations\/us-east5\/publishers\/google\/models\/gemini-2.5-flash:/,
  },
};

const asking = (
  model: string,
  { stream }: { readonly stream: boolean },
  beside: Partial<ChatRequest> = {},
): ChatRequest => ({
  model,
  stream,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'say: all is well' }] }],
  maxOutputTokens: 100,
  extras: {},
  ...beside,
});

/** Sends a chat as the relay does, and reads what comes back. */
const chat = async (channel: Channel, request: ChatRequest): Promise<ChatEvent[]> => {
  const provider = providerOf(channel.type);
  if (provider === undefined) throw new Error(`no provider for ${channel.type}`);
  const { model, stream } = request;
  const call = { operation: 'chat' as const, model, stream };
  const dialect = provider.dialectFor?.(model, channel) ?? provider.dialect;
  const written = dialect.writeRequest(request);
  const body = JSON.stringify(writtenFor(provider, written, call, channel));
  const { url, headers } = provider.address(channel, call);
  const tools = { send: sender.send.bind(sender), nowMs: Date.now(), signal: undefined };
  const sent = { method: 'POST' as const, url, headers, body };
  const reply = await sender.send((await provider.authorize?.(sent, channel, tools)) ?? sent);
  expect(reply.status).toBe(200);
  if (!stream) return dialect.readWhole(JSON.parse(await textOf(reply)));
  const events: ChatEvent[] = [];
  const frames = provider.frames?.(reply.body) ?? readFrames(reply.body);
  for await (const event of readStream(dialect, frames)) events.push(event);
  return events;
};

const textOf = async ({ body }: OutboundReply): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
};

const channel = ({ type, key }: Kind): Channel =>
  channelOf(type, {
    baseUrl: simulator.url,
    key: new Secret(key()),
    other: type === 41 ? '{"default":"us-east5"}' : '',
  });

const lastCall = async (): Promise<JournalEntry> => {
  const { last } = await simulator.calls();
  if (last === undefined) throw new Error('nothing arrived');
  return last;
};

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test.each([false, true])(
    'answers where it should, in the format of its own (stream: %s)',
    async (stream) => {
      const reply = fold(await chat(channel(kind), asking(kind.model, { stream })));
      expect(reply.choices[0]).toMatchObject({ text: 'all is well', finish: 'stop' });
      expect(reply.usage).toMatchObject({ estimated: false });
      expect((await lastCall()).path.replace(/\?.*/, '')).toMatch(kind.path);
    },
  );

  test('calls tools, streamed, and takes their results in a second turn', async () => {
    const tools = [
      { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    ];
    const question = {
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'weather in Paris' }],
    };
    const first = await chat(
      channel(kind),
      asking(kind.model, { stream: true }, { tools, messages: [question] }),
    );
    const { calls, finish } = fold(first).choices[0] ?? { calls: [], finish: undefined };
    expect({ finish, calls }).toMatchObject({
      finish: 'tool-calls',
      calls: [{ name: 'get_weather', argumentsText: '{"city":"Paris"}' }],
    });
    const [{ id, name, argumentsText }] = calls as [(typeof calls)[0]];
    const second = await chat(
      channel(kind),
      asking(
        kind.model,
        { stream: false },
        {
          tools,
          messages: [
            question,
            { role: 'assistant', content: [{ type: 'tool-call', id, name, argumentsText }] },
            {
              role: 'tool',
              content: [
                { type: 'tool-result', callId: id, name, content: [{ type: 'text', text: 'sunny' }] },
              ],
            },
          ],
        },
      ),
    );
    expect(fold(second).choices[0]?.text).toContain('sunny');
  });
});

describe('what proves who sends it', () => {
  const kindOf = (type: number, key?: string): Kind => {
    const found = Object.values(kinds).find((kind) => kind.type === type);
    if (found === undefined) throw new Error(`no kind ${type}`);
    return key === undefined ? found : { ...found, key: () => key };
  };

  test('Bedrock gets a signature over the request, never the secret, and no model in the body', async () => {
    const kind = kindOf(33);
    await chat(channel(kind), asking(kind.model, { stream: false }));
    const { headers, body } = await lastCall();
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock/,
    );
    expect(headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/);
    expect(JSON.stringify({ headers, body })).not.toContain('secret');
    expect(body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 100 });
    expect(Object.keys(body as object)).not.toContain('model');
  });

  test('Vertex gets a token fetched once for the account, by an assertion its key signed', async () => {
    const kind = kindOf(41, account('three'));
    await Promise.all([1, 2, 3].map(() => chat(channel(kind), asking(kind.model, { stream: false }))));
    await chat(channel(kind), asking(kind.model, { stream: true }));
    const { calls } = await simulator.calls();
    const fetches = calls.filter(({ path }) => path === '/google/token');
    expect(fetches).toHaveLength(1);
    const [{ assertion }] = fetches.map(({ body }) => body) as [{ assertion: string }];
    const { payload, protectedHeader } = await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'));
    expect({ payload, protectedHeader }).toMatchObject({
      payload: {
        iss: 'three@project-1.iam.example',
        aud: `${simulator.url}/google/token`,
        scope: 'https://www.googleapis.com/auth/cloud-platform',
      },
      protectedHeader: { alg: 'RS256', kid: 'key-1' },
    });
    const asked = calls.filter(({ path }) => path !== '/google/token');
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual(
      Array.from({ length: 4 }, () => 'Bearer ya29.simulated'),
    );
    expect(JSON.stringify(calls)).not.toContain('PRIVATE KEY');
  });

  test('an invalid account is reported to the operator', async () => {
    const none = kindOf(41, '{"type":"service_account"}');
    expect(() =>
      providerOf(41)?.address(channel(none), { operation: 'chat', model: 'm', stream: false }),
    ).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
    const unreadable = JSON.stringify({ ...JSON.parse(account('four')), private_key: 'x' });
    await expect(
      chat(channel(kindOf(41, unreadable)), asking('gemini-2.5-flash', { stream: false })),
    ).rejects.toMatchObject({
      code: 'upstream_failed',
      upstream: { message: 'the private key of the service account cannot be read' },
    });
  });
});
