import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ChatRequest, Tool } from '#core/chat/request.ts';
import type { OutboundReply, Sender } from '#core/outbound/outbound.ts';
import { Secret } from '#core/secrets/secret.ts';
import { startSimulator, type RunningSimulator } from '../../simulator/start.ts';
import type { Egress } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import { readFrames, writeFrame } from '../dialects/sse.ts';
import { fold } from '../dialects/testing/fold.ts';
import { providerOf } from './registry.ts';
import { createSender } from '../outbound/send.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { readStream } from '../dialects/testing/streams.ts';
import { writtenFor } from '../dialects/upstream.ts';
import { systemClock } from '../system.ts';

let simulator: RunningSimulator;
let sender: Sender;
/** Where providers went before their call. */
const fetched: string[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
  sender = createSender({ clock: systemClock, allowAddress: () => true });
});
afterAll(async () => {
  await sender.close();
  await simulator.stop();
});

interface Kind {
  readonly type: number;
  readonly key: string;
  readonly other?: string;
  readonly model: string;
}

/** Each kind of upstream with a format of its own, and where that format is published. */
const kinds: Readonly<Record<string, Kind>> = {
  'Cohere v2 (docs.cohere.com/reference/chat)': { type: 34, key: 'k', model: 'command-a' },
  'Tencent (cloud.tencent.com/document/product/1729)': {
    type: 23,
    key: '1|secret-id|secret-key',
    model: 'hunyuan-turbo',
  },
  'Baidu v1 (cloud.baidu.com/doc/WENXINWORKSHOP)': {
    type: 15,
    key: 'api-key|secret-key',
    model: 'ERNIE-4.0-8K',
  },
  'Dify (docs.dify.ai, chat-messages)': { type: 37, key: 'app-1', model: 'dify' },
  'Coze v3 (coze.cn/open/docs, chat_v3)': { type: 49, key: 'pat-1', other: 'bot-1', model: 'coze' },
  'Replicate (replicate.com/docs/reference/http)': { type: 56, key: 'r8-1', model: 'meta/llama' },
  'AI Proxy library (docs.aiproxy.io)': { type: 21, key: 'ap-1', other: 'library-1', model: 'gpt-4o' },
};

const channelFor = ({ type, key, other = '' }: Kind): Channel =>
  channelOf(type, { key: new Secret(key), baseUrl: simulator.url, other });

const weather: Tool = {
  name: 'weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const asking = (
  model: string,
  { stream }: { readonly stream: boolean },
  tools?: readonly Tool[],
): ChatRequest => ({
  model,
  stream,
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Is all well?' }] },
  ],
  maxOutputTokens: 100,
  temperature: 0,
  ...(tools !== undefined && { tools }),
  extras: {},
});

const providerFor = (type: number) => {
  const provider = providerOf(type);
  if (provider === undefined) throw new Error(`no provider for ${type}`);
  return provider;
};

const dialectOf = (kind: Kind): Egress => {
  const provider = providerFor(kind.type);
  return provider.dialectFor?.(kind.model, channelFor(kind)) ?? provider.dialect;
};

const ask = async (kind: Kind, request: ChatRequest): Promise<OutboundReply> => {
  const provider = providerFor(kind.type);
  const channel = channelFor(kind);
  const call = { operation: 'chat', model: kind.model, stream: request.stream } as const;
  const dialect = dialectOf(kind);
  const written = dialect.writeRequest(request);
  const asked = request.stream ? (dialect.askForUsage?.(written) ?? written) : written;
  const body = JSON.stringify(writtenFor(provider, asked, call, channel));
  const plain = { method: 'POST', ...provider.address(channel, call), body } as const;
  const send: Sender['send'] = (request_, signal) => {
    fetched.push(request_.url);
    return sender.send(request_, signal);
  };
  const tools = { send, nowMs: Date.now(), signal: undefined };
  const finished = (await provider.authorize?.(plain, channel, tools)) ?? plain;
  return provider.offers.chat?.deliver?.(finished, channel, tools) ?? sender.send(finished);
};

const bytesOf = async (reply: OutboundReply): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of reply.body) parts.push(part);
  return Buffer.concat(parts);
};

const wholeOf = async (kind: Kind, request: ChatRequest) => {
  const dialect = dialectOf(kind);
  const reply = await ask(kind, request);
  const bytes = await bytesOf(reply);
  const body: unknown = dialect.parseWhole?.(bytes) ?? JSON.parse(bytes.toString());
  return { status: reply.status, body, tapped: dialect.tapWhole(body), told: fold(dialect.readWhole(body)) };
};

const streamOf = async (kind: Kind, request: ChatRequest) => {
  const dialect = dialectOf(kind);
  const frames: Frame[] = [];
  for await (const frame of readFrames((await ask(kind, request)).body)) frames.push(frame);
  const events: ChatEvent[] = [];
  async function* each() {
    yield* frames;
  }
  for await (const event of readStream(dialect, each())) events.push(event);
  return { taps: frames.map((frame) => dialect.tap(frame)), told: fold(events) };
};

const counts = { inputTokens: 11, outputTokens: 4 };
/** AI Proxy's library says nothing of usage. */
const usageOf = (type: number) => (type === 21 ? undefined : expect.objectContaining(counts));

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test('answers whole: its text, why it ended, what it used', async () => {
    const { status, tapped, told } = await wholeOf(kind, asking(kind.model, { stream: false }));
    expect(Math.trunc(status / 100)).toBe(2);
    expect(told.choices[0]).toMatchObject({ text: 'All is well.', finish: 'stop' });
    expect(told.usage).toEqual(usageOf(kind.type));
    expect(tapped).toMatchObject({ content: true, finish: 'stop', outputBytes: 12 });
    expect(tapped.usage).toEqual(told.usage);
  });

  test('streams the same', async () => {
    const { taps, told } = await streamOf(kind, asking(kind.model, { stream: true }));
    expect(told.choices[0]).toMatchObject({ text: 'All is well.', finish: 'stop' });
    expect(told.usage).toEqual(usageOf(kind.type));
    expect(taps.findLast((tapped) => tapped?.usage !== undefined)?.usage).toEqual(told.usage);
    expect(taps.some((tapped) => tapped?.finish === 'stop')).toBe(true);
    expect(taps.reduce((sum, tapped) => sum + (tapped?.outputBytes ?? 0), 0)).toBe(12);
  });
});

// Coze always streams.
test.each(Object.entries(kinds).filter(([, { type }]) => type !== 49))(
  '%s may answer whole where a stream was asked for',
  async (_, kind) => {
    const dialect = dialectOf(kind);
    const frame = writeFrame(
      JSON.stringify((await wholeOf(kind, asking(kind.model, { stream: false }))).body),
    );
    const told = fold(await Array.fromAsync(readStream(dialect, [frame])));
    expect(told.choices[0]).toMatchObject({ text: 'All is well.', finish: 'stop' });
    expect(dialect.tap(frame)).toMatchObject({ content: true, finish: 'stop', outputBytes: 12 });
  },
);

describe('tools', () => {
  const able = Object.entries(kinds).filter(([, { type }]) => type === 34 || type === 23);
  const unable = Object.entries(kinds).filter(([, { type }]) => type !== 34 && type !== 23);

  test.each(able)('%s calls them, whole and streamed, and takes their results', async (_, kind) => {
    const whole = await wholeOf(kind, asking(kind.model, { stream: false }, [weather]));
    const streamed = await streamOf(kind, asking(kind.model, { stream: true }, [weather]));
    for (const { told } of [whole, streamed]) {
      expect(told.choices[0]?.finish).toBe('tool-calls');
      expect(told.choices[0]?.calls).toMatchObject([
        { name: 'weather', argumentsText: '{"city":"Paris"}', id: expect.stringMatching(/_1$/) as string },
      ]);
    }
    const id = whole.told.choices[0]?.calls[0]?.id ?? '';
    const request = asking(kind.model, { stream: false }, [weather]);
    const answered = await wholeOf(kind, {
      ...request,
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', id, name: 'weather', argumentsText: '{"city":"Paris"}' }],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callId: id, content: [{ type: 'text', text: 'sun' }] }],
        },
      ],
    });
    expect(answered.told.choices[0]?.text).toBe('All is well.');
  });

  test.each(unable)('%s refuses them, naming the field', (_, kind) => {
    const dialect = dialectOf(kind);
    expect(() => dialect.writeRequest(asking(kind.model, { stream: false }, [weather]))).toThrow(/^tools: /);
  });
});

describe('what goes wrong', () => {
  const named = (name: string): Kind => {
    const found = Object.entries(kinds).find(([known]) => known.startsWith(name))?.[1];
    if (found === undefined) throw new Error(name);
    return found;
  };

  test('a wrong key of Baidu gets no token, and the next call asks again', async () => {
    const wrong = { ...named('Baidu'), key: 'api-key|wrong' };
    await expect(ask(wrong, asking('ERNIE-4.0-8K', { stream: false }))).rejects.toMatchObject({
      code: 'upstream_failed',
      upstream: { code: 'invalid_api_key', status: 401 },
    });
    expect(
      (await wholeOf(named('Baidu'), asking('ERNIE-4.0-8K', { stream: false }))).tapped.error,
    ).toBeUndefined();
  });

  test('Baidu is asked for one token, however many calls come', async () => {
    const kind = { ...named('Baidu'), key: 'api-key|secret-key|x' };
    fetched.length = 0;
    await Promise.all([1, 2, 3].map(() => wholeOf(kind, asking('ERNIE-4.0-8K', { stream: false }))));
    expect(fetched).toHaveLength(1);
  });

  test.each([
    ['Tencent', { key: '1|secret-id|wrong' }, 'credentials could not be validated'],
    ['AI Proxy', { other: 'none' }, 'no such library'],
  ])('%s refuses under status 200, and that is an error', async (name, change, words) => {
    const kind = { ...named(name), ...change };
    const { status, tapped } = await wholeOf(kind, asking(kind.model, { stream: false }));
    expect(status).toBe(200);
    expect(tapped.error?.upstream?.message).toContain(words);
  });

  test('a channel of Coze without a bot is not called', async () => {
    await expect(ask({ ...named('Coze'), other: '' }, asking('coze', { stream: false }))).rejects.toThrow(
      'has no bot id',
    );
  });

  test('a prediction that outlasts its call is polled: an unfinished one is not an answer', async () => {
    const kind = named('Replicate');
    const { told } = await wholeOf(kind, {
      ...asking(kind.model, { stream: false }),
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer slowly.' }] }],
    });
    expect(told.choices[0]?.text).toBe('All is well.');
    const { error } = dialectOf(kind).tapWhole({ id: 'p-1', status: 'processing', output: null });
    expect(error?.upstream?.message).toContain('still processing');
  });

  test.each(['failed', 'canceled', 'aborted', 'of a later day'])(
    'a prediction that is %s is no answer, and stop sequences are left to us, as few models have them',
    (status) => {
      const { tapWhole, hasNoStops } = dialectOf(named('Replicate'));
      expect(tapWhole({ id: 'p-1', status, output: null }).error?.upstream?.code).toBe(status);
      expect(hasNoStops).toBe(true);
    },
  );

  test('an answer that Dify has filtered is told as such, although it still ends', () => {
    const reader = dialectOf(named('Dify')).openReader();
    const said = [
      { event: 'message', answer: 'Take the' },
      { event: 'message_replace', answer: 'No.' },
      { event: 'message_end', metadata: {} },
    ].flatMap((event) => reader.read(writeFrame(JSON.stringify(event))));
    expect([...said, ...reader.end()].at(-1)).toMatchObject({ type: 'finish', reason: 'content-filter' });
  });

  test('an answer of Coze that breaks off is no answer, although its words came', () => {
    const { parseWhole, tapWhole } = dialectOf(named('Coze'));
    const word = { type: 'answer', role: 'assistant', content: 'All' };
    const { raw } = writeFrame(JSON.stringify(word), 'conversation.message.delta');
    expect(tapWhole(parseWhole?.(raw)).error?.upstream?.message).toContain('broke off');
  });
});
