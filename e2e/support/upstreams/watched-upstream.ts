import { createServer, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { addressOf, hangUp, listening } from '../../../src/server/outbound/testing/local-server.ts';
import { type Operator, rootPassword, signIn } from '../operator.ts';
import { PLAIN_STREAM } from '../../../src/server/relay/testing/plain-answer.ts';
import type { TwoNodes } from '../two-nodes.ts';

/** A call as the upstream received it. */
export interface WatchedCall {
  /** The first part of the path, which identifies the channel. */
  readonly channel: string;
  readonly key: string;
  readonly model: string;
  readonly atMs: number;
  readonly response: ServerResponse;
}

/** The response to send instead of a chat answer; undefined sends the answer. */
export type Behaviour = (call: WatchedCall) => 'handled' | undefined;

/** A chat stream with 10 input and 5 output tokens. */
export const answer = (response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.end(PLAIN_STREAM);
};

/** An OpenAI upstream for many channels and keys. It records every call, and the test decides each answer. */
export const startWatchedUpstream = async () => {
  const calls: WatchedCall[] = [];
  const rule: { behaviour: Behaviour } = { behaviour: () => undefined };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes: Buffer) => void (text += bytes.toString()));
    request.on('end', () => {
      const call = {
        channel: (request.url ?? '').split('/')[1] ?? '',
        key: (request.headers.authorization ?? '').replace('Bearer ', ''),
        model: /"model":"([^"]+)"/.exec(text)?.[1] ?? '',
        atMs: performance.now(),
        response,
      };
      calls.push(call);
      if (rule.behaviour(call) === undefined) answer(response);
    });
  });
  await listening(server);
  return {
    calls,
    rule,
    url: (channel: string): string => `${addressOf(server)}/${channel}`,
    close(): void {
      hangUp(server);
    },
  };
};

export type WatchedUpstream = Awaited<ReturnType<typeof startWatchedUpstream>>;

const explained = z.object({ channels: z.array(z.object({ name: z.string(), reason: z.string() })) });

interface ChannelOfUpstream {
  readonly keys?: readonly string[];
  readonly setting?: object;
  readonly priority?: number;
}

/** Channels of that upstream on two nodes, and streams requested from a node by its number. */
export const useChannels = (site: TwoNodes, upstream: WatchedUpstream, key: string) => {
  const ask = (at: number, model: string, session?: string): Promise<Response> =>
    fetch(`${site.url(at)}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(session !== undefined && { 'session-id': session }),
      },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
  /** The status; 0 if the stream broke off. */
  const chat = async (at: number, model: string, session?: string): Promise<number> => {
    try {
      const response = await ask(at, model, session);
      const text = await response.text();
      return !response.ok || text.endsWith('data: [DONE]\n\n') ? response.status : 0;
    } catch {
      return 0;
    }
  };
  const channel = async (name: string, model: string, more: ChannelOfUpstream = {}): Promise<void> => {
    const { keys = ['sk-of-a-channel'], setting = {}, priority = 0 } = more;
    const body = {
      type: 1,
      name,
      key: keys.join('\n'),
      ...(keys.length > 1 && { pool_mode: 'in_turn' }),
      base_url: upstream.url(name),
      models: model,
      group: 'default',
      priority,
      setting: JSON.stringify(setting),
    };
    await site.root.call('/api/channel', { method: 'POST', body });
  };
  /** The calls for this model received so far. */
  const came = (model: string) => upstream.calls.filter((call) => call.model === model);
  const operators = new Map<string, Promise<Operator>>();
  /** Asks a node, without making a call, why it would leave out each channel of a model: reasons by the channel's name. */
  const leftOut = async (at: number, model: string): Promise<Readonly<Record<string, string>>> => {
    const url = site.url(at);
    const known = operators.get(url) ?? signIn(url, 'root', rootPassword);
    operators.set(url, known);
    const asked = { method: 'POST', body: { model, stream: true } } as const;
    const { channels } = explained.parse(await (await known).call('/api/channel/explain', asked));
    return Object.fromEntries(channels.map(({ name, reason }) => [name, reason]));
  };
  return { ask, chat, channel, came, leftOut };
};
