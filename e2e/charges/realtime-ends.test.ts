import { describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { asking, dial, upstreamThat } from '../support/realtime-call.ts';
import type { Rig } from '../faults/rig.ts';
import { useGateway } from '../faults/use-gateway.ts';

/** Conversations that end badly: the caller learns what the other side did, and nothing stays held. */

const { start } = useGateway();

const OPTIONS = {
  ModelRatio: { talk: 1 },
  CompletionRatio: { talk: 1 },
  RetryTimes: 0,
  AutomaticDisableChannelEnabled: true,
};

const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

const answer = (status: string, body: object, header = ''): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${header}Content-Length: ${String(text.length)}\r\n\r\n${text}`;
};

const refused = (socket: WebSocket) =>
  new Promise<{ status: number; retryAfter: unknown; text: string }>((resolve) => {
    socket.once('unexpected-response', (_, response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => void parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
  });

describe('an upstream', () => {
  test.each([
    ['closes', (socket: WebSocket) => socket.close(4000, 'session expired'), [4000, 'session expired']],
    ['dies', (socket: WebSocket) => socket.terminate(), [1011, 'the upstream broke off']],
    [
      'says more than fits',
      (socket: WebSocket) => socket.send('x'.repeat(17e6)),
      [1011, 'the upstream broke off'],
    ],
  ] as const)('that %s is told to the caller', async (_, then, told) => {
    const url = await upstreamThat((socket) => void socket.once('message', () => then(socket)));
    const rig = await start([{ baseUrl: url, models: 'talk' }], OPTIONS);
    const call = await dial(rig);
    call.say({});
    expect(await call.closed).toEqual(told);
    await expect.poll(() => rig.openHolds()).toBe(0);
  });

  test('that closes with our key as the reason, however it is spelled, shows none of it', async () => {
    const key = 'its-own-key-of-many-letters';
    const spellings = [key, Buffer.from(key).toString('base64'), key.split('').map(percent).join('')];
    const reasons = [...spellings];
    const url = await upstreamThat((socket) => {
      socket.once('message', () => socket.close(4000, reasons.shift()));
    });
    const rig = await start([{ baseUrl: url, models: 'talk', encryptedKey: key }], OPTIONS);
    for (const spelling of spellings) {
      const call = await dial(rig);
      call.say({});
      const [code, reason] = await call.closed;
      // In base64, letters that also encode neighbouring bytes are not masked.
      expect([code, reason.length, /^\*+[\w=]{0,3}$/.test(reason)]).toEqual([4000, spelling.length, true]);
    }
  });

  test('that is overloaded is reported to the caller, with the time to wait', async () => {
    const body = { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } };
    const url = await upstreamThat(
      () => undefined,
      answer('429 Too Many Requests', body, 'Retry-After: 7\r\n'),
    );
    const rig = await start([{ baseUrl: url, models: 'talk' }], OPTIONS);
    expect(await refused(asking(rig))).toMatchObject({
      status: 429,
      retryAfter: '7',
      text: expect.stringContaining('Rate limit reached'),
    });
    expect(rig.disabled).toEqual([]);
  });

  test('that refuses the key has its channel switched off, and the caller learns nothing of it', async () => {
    const error = { message: 'Incorrect API key provided: its-own-key.', code: 'invalid_api_key' };
    const url = await upstreamThat(() => undefined, answer('401 Unauthorized', { error }));
    const rig = await start([{ baseUrl: url, models: 'talk', encryptedKey: 'its-own-key' }], OPTIONS);
    const { status, text } = await refused(asking(rig));
    expect([status, text.includes('Incorrect')]).toEqual([502, false]);
    expect(rig.disabled).toMatchObject([{ id: 1, reason: expect.stringContaining('Incorrect API key') }]);
    expect(JSON.stringify(rig.disabled)).not.toContain('its-own-key');
  });
});

test('bytes pass as bytes, and a message of more than 16 MB ends the conversation', async () => {
  const heard: [number, boolean][] = [];
  const url = await upstreamThat((socket) => {
    socket.on('message', (data: Buffer, isBinary) => {
      heard.push([data.length, isBinary]);
      if (isBinary) socket.send(data, { binary: true });
    });
  });
  const rig = await start([{ baseUrl: url, models: 'talk' }], OPTIONS);
  const call = await dial(rig);
  const back = new Promise((resolve) => {
    call.socket.once('message', (data: Buffer, isBinary) => resolve([...data, isBinary]));
  });
  call.socket.send(Buffer.from([1, 2, 3]), { binary: true });
  expect(await back).toEqual([1, 2, 3, true]);
  const sound = `{"type":"input_audio_buffer.append","audio":"${'A'.repeat(15e6)}"}`;
  call.socket.send(sound);
  await expect
    .poll(() => heard)
    .toEqual([
      [3, true],
      [sound.length, false],
    ]);
  call.socket.send('x'.repeat(17e6));
  expect((await call.closed)[0]).toBe(1009);
  await expect.poll(() => rig.openHolds()).toBe(0);
});

test('an upstream that tells its usage in bytes is charged all the same', async () => {
  const usage = { total_tokens: 30, input_tokens: 10, output_tokens: 20 };
  const done = { type: 'response.done', response: { id: 'r', status: 'completed', usage } };
  const url = await upstreamThat((socket) => {
    socket.on('message', () => socket.send(Buffer.from(JSON.stringify(done)), { binary: true }));
  });
  const rig = await start([{ baseUrl: url, models: 'talk' }], OPTIONS);
  const call = await dial(rig);
  call.say({ type: 'response.create' });
  await expect.poll(async () => (await rig.balance()).used).toBe(30);
  call.socket.close();
  await expect.poll(() => rig.openHolds()).toBe(0);
});

/** An upstream whose answers, of four bytes of text, all end with these events. */
const ending = (events: (id: string) => readonly object[]): Promise<string> => {
  let answers = 0;
  return upstreamThat((socket) => {
    socket.on('message', () => {
      answers += 1;
      const id = `resp_${String(answers)}`;
      const begun = { type: 'response.created', response: { id } };
      const words = { type: 'response.output_text.delta', delta: 'word' };
      for (const event of [begun, words, ...events(id)]) socket.send(JSON.stringify(event));
    });
  });
};

const doneEvent = (id: string, input: number, output: number) => ({
  type: 'response.done',
  response: { id, status: 'completed', usage: { input_tokens: input, output_tokens: output } },
});

/** Asks for one answer after another and waits until each is charged; the units of each row. */
const chargesOf = async (rig: Rig, times: number): Promise<number[]> => {
  const call = await dial(rig);
  for (let rows = 1; rows <= times; rows += 1) {
    call.say({ type: 'response.create' });
    await expect.poll(async () => (await rig.logs()).length).toBeGreaterThanOrEqual(rows);
  }
  call.socket.close();
  await call.closed;
  await expect.poll(() => rig.openHolds()).toBe(0);
  return (await rig.logs()).map(({ quota }) => quota);
};

test('an answer whose end is sent twice is charged once', async () => {
  const url = await ending((id) => [doneEvent(id, 10, 20), doneEvent(id, 10, 20), doneEvent(id, 10, 30)]);
  const rig = await start([{ baseUrl: url, models: 'talk' }], OPTIONS);
  expect(await chargesOf(rig, 3)).toEqual([30, 30, 30]);
});

test('a usage beyond any model is not believed: the answer is counted, and the conversation goes on', async () => {
  const url = await ending((id) => [doneEvent(id, 50_000_000, 10)]);
  const rig = await start([{ baseUrl: url, models: 'talk' }], OPTIONS);
  // Two tokens for so short a piece, and half of what was held for the one question, then for the two.
  expect(await chargesOf(rig, 2)).toEqual([2 + 10, 2 + 19]);
});
