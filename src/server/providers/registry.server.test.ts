import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { OutboundRequest, Sender } from '#core/outbound/outbound.ts';
import { Secret } from '#core/secrets/secret.ts';
import { startSimulator, type RunningSimulator } from '../../simulator/start.ts';
import { readFrames } from '../dialects/sse.ts';
import type { Operation } from '#core/operation.ts';
import { providerOf, relayedTypes } from './registry.ts';
import { createSender } from '../outbound/send.ts';
import { writtenFor } from '../dialects/upstream.ts';
import { operationsOf } from './testing/asked-of.ts';
import { systemClock } from '../system.ts';

let simulator: RunningSimulator;
let sender: Sender;

beforeAll(async () => {
  simulator = await startSimulator();
  sender = createSender({ clock: systemClock, allowAddress: () => true });
});
afterAll(async () => {
  await sender.close();
  await simulator.stop();
});

const BODIES: Readonly<Partial<Record<Operation, Readonly<Record<string, unknown>> | undefined>>> = {
  chat: { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], max_tokens: 4 },
  completions: { model: 'm-1', prompt: 'hello', max_tokens: 4 },
  embeddings: { model: 'm-1', input: 'hello', dimensions: 4 },
  models: undefined,
};

const simulated = (type: number, operation: Operation): Channel =>
  channelOf(type, {
    key: new Secret('sk-of-the-channel'),
    // A custom channel names the whole address.
    baseUrl:
      type === 8
        ? `${simulator.url}/{model}/${operation === 'chat' ? 'chat/completions' : operation}`
        : simulator.url,
    other: type === 39 ? 'account' : '',
  });

const requestTo = (type: number, operation: Operation, stream: boolean): OutboundRequest => {
  const provider = providerOf(type);
  if (provider === undefined) throw new Error(`no provider for ${type}`);
  const call = { operation, model: 'm-1', stream };
  const body = BODIES[operation];
  const { url, headers } = provider.address(simulated(type, operation), call);
  if (body === undefined) return { method: 'GET', url, headers };
  const asked = stream ? (provider.dialect.askForUsage?.({ ...body, stream }) ?? { ...body, stream }) : body;
  return {
    method: 'POST',
    url,
    headers,
    body: JSON.stringify(writtenFor(provider, asked, call, simulated(type, operation))),
  };
};

/** Those that speak OpenAI's format; the others are tested each against their own. */
const rows = relayedTypes
  .filter((type) => providerOf(type)?.dialect.name === 'openai-chat')
  .flatMap((type) => operationsOf(type).map((operation): [number, Operation] => [type, operation]))
  // Pictures, sound and the like have tests of their own.
  .filter(([, operation]) => operation in BODIES)
  // Cloudflare lists its models in a shape of its own.
  .filter(([type, operation]) => type !== 39 || operation !== 'models');

describe('every kind of channel against a real server', () => {
  test.each(rows)('type %i answers %s, with its key in one header', async (type, operation) => {
    const reply = await sender.send(requestTo(type, operation, false));
    const parts: Buffer[] = [];
    for await (const part of reply.body) parts.push(part);
    expect(reply.status).toBe(200);
    expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject(
      operation === 'embeddings' || operation === 'models'
        ? { object: 'list' }
        : { choices: [{ finish_reason: 'length' }] },
    );
    const { last } = await simulator.calls();
    const withKey = Object.values(last?.headers ?? {}).filter((value) =>
      String(value).endsWith('sk-of-the-channel'),
    );
    expect(withKey).toHaveLength(1);
  });

  test.each(rows.filter(([, operation]) => operation === 'chat'))('type %i streams %s', async (type) => {
    const reply = await sender.send(requestTo(type, 'chat', true));
    const taps = [];
    const { dialect } = providerOf(type) ?? {};
    for await (const frame of readFrames(reply.body)) taps.push(dialect?.tap(frame));
    expect(taps.some((tapped) => tapped?.content === true)).toBe(true);
    expect(taps.at(-1)).toEqual({ done: true });
    // Mistral's own streams report usage unasked; the simulator has to be asked, which Mistral must not be.
    expect(taps.some((tapped) => tapped?.usage !== undefined)).toBe(type !== 42);
  });
});
