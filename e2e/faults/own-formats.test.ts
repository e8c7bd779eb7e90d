import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { callerRequest } from '../support/caller-request.ts';
import { formats } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { useGateway } from './use-gateway.ts';

/** Callers of every format reach upstreams that speak a format of their own. */

const gateway = useGateway();

const kinds = [
  ['Cohere', { type: 34 }],
  [
    'Bedrock',
    {
      type: 33,
      encryptedKey: 'AKID|the-secret|us-east-1',
      modelMapping: '{"m":"us.amazon.nova-pro-v1:0"}',
    },
  ],
  ['Dify', { type: 37 }],
  // It streams even if a whole reply is requested.
  ['Coze', { type: 49, other: 'bot-1' }],
  // It sends a whole reply even if a stream is requested.
  ['Replicate', { type: 56, modelMapping: '{"m":"meta/llama"}' }],
  ['AI Proxy', { type: 21, other: 'library-1' }],
] as const;

const pairs = kinds.flatMap(([name, channel]) =>
  formats.flatMap((format) => [true, false].map((stream) => [name, format, stream, channel] as const)),
);

const said = async (url: string, key: string, format: DialectName, stream: boolean) => {
  const { path, body } = callerRequest(format, 'm', { stream });
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(
      format === 'openai-chat' && stream ? { ...body, stream_options: { include_usage: true } } : body,
    ),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(bytes.toString());
  return saidIn(await eventsOf(chatDialects[format], bytes, { stream }));
};

describe('an upstream with a format of its own', () => {
  test.each(pairs)('%s answers a caller of %s, stream %s', async (name, format, stream, channel) => {
    const rig = await gateway.start([gateway.good(channel)]);
    const told = await said(rig.url, rig.key, format, stream);
    expect(told).toMatchObject({ text: 'All is well.', error: undefined });
    expect(told.finish).toContain('stop');
    // AI Proxy reports no usage, so callers get our own count, or none.
    expect(name === 'AI Proxy' ? 11 : told.usage?.prompt).toBe(11);
  });
});

test('a stream of Bedrock that breaks ends with an error in the words of its caller', async () => {
  const modelMapping = '{"m":"us.amazon.nova-breaks-v1:0"}';
  const rig = await gateway.start([
    gateway.good({ type: 33, encryptedKey: 'AKID|the-secret|us-east-1', modelMapping }),
  ]);
  for (const format of formats) {
    const { path, body } = callerRequest(format, 'm', { stream: true });
    const response = await fetch(rig.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${rig.key}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(text).toContain('All');
    expect(text).toMatch(/"error"|"failed"/);
    expect(text).not.toContain('the-secret');
  }
  await expect.poll(() => rig.openHolds()).toBe(0);
  expect((await rig.balance()).used).toBeGreaterThan(0);
});
