import { connect, createServer } from 'node:net';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf } from '../../src/server/outbound/testing/local-server.ts';
import { formats } from '../support/one-format.ts';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { agents } from './agents.ts';
import { useClients } from './use-clients.ts';

/** Codex and OpenAI's client over WebSockets, as they ask OpenAI itself, against upstreams that can only stream. */

const gateway = useClients();
const PROMPT = 'List the files of this folder with a tool, then say that all is well.';

/** The requests to the gateway, by request line. */
let lines: string[] = [];
const door = createServer((socket) => {
  const { hostname, port } = new URL(gateway.url());
  const inner = connect(Number(port), hostname);
  socket.on('data', (bytes) => {
    const [line = ''] = bytes.toString('latin1', 0, 200).split('\r\n', 1);
    if (/^[A-Z]+ \/\S* HTTP/.test(line)) lines.push(line);
  });
  socket.pipe(inner).pipe(socket);
  socket.on('error', () => inner.destroy());
  inner.on('error', () => socket.destroy());
});
beforeAll(() => new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve)));
afterAll(() => void door.close());

test.each(formats)(
  'Codex works over one WebSocket with an upstream that speaks %s, and asks for nothing over HTTP',
  { timeout: 120_000 },
  async (model) => {
    lines = [];
    const before = gateway.asked().length;
    const url = addressOf(door);
    const { code, output } = await agents.Codex({
      url,
      key: gateway.key(),
      model,
      prompt: PROMPT,
      isOverSocket: true,
    });
    expect(output).toContain(LAST_WORDS);
    expect(code).toBe(0);
    // No retry and no fallback to HTTP: each would take seconds.
    expect(lines).toEqual(['GET /v1/responses HTTP/1.1']);
    const asked = gateway.asked().slice(before);
    // The tool really ran, and the next turn contained the whole history.
    expect(asked.at(-1)?.text).toContain('notes.txt');
    expect(asked.at(-1)?.text).toContain(PROMPT);
  },
);

test.each(formats)(
  "OpenAI's own client hears two turns on one connection from an upstream that speaks %s",
  async (model) => {
    const client = new OpenAI({ baseURL: `${gateway.url()}/v1`, apiKey: gateway.key() });
    const ws = new ResponsesWS(client);
    const events = ws.stream();
    const hear = async (): Promise<OpenAI.Responses.Response> => {
      for await (const event of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) }) {
        if (event.type === 'error') throw event.error;
        if (event.type === 'message' && event.message.type === 'response.completed')
          return event.message.response;
      }
      throw new Error('the connection ended');
    };
    const ask = { type: 'response.create', stream_id: 'main', model, store: false } as const;
    ws.send({ ...ask, input: 'Say something.' });
    const first = await hear();
    expect(first.output_text ?? JSON.stringify(first.output)).toContain(LAST_WORDS);
    ws.send({ ...ask, previous_response_id: first.id, input: 'Say it again.' });
    const second = await hear();
    expect(JSON.stringify(second.output)).toContain(LAST_WORDS);
    const text = gateway.asked().at(-1)?.text ?? '';
    for (const words of ['Say something.', LAST_WORDS, 'Say it again.']) expect(text).toContain(words);
    ws.close();
  },
);
