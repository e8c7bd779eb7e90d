import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilStill } from '#core/testing/until-still.ts';
import { AppError } from '#core/error.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import type { OutboundReply, OutboundRequest, Sender } from '#core/outbound/outbound.ts';
import { addressOf, hangUp, listening } from './testing/local-server.ts';
import { startSimulator, type RunningSimulator } from '../../simulator/start.ts';
import { createSender } from './send.ts';
import { systemClock } from '../system.ts';

const MEBIBYTE = 1024 * 1024;

let simulator: RunningSimulator;
let sender: Sender;

beforeAll(async () => {
  simulator = await startSimulator();
  sender = createSender({ clock: systemClock, allowAddress: () => true, maxDecodedBytes: 4 * MEBIBYTE });
});
afterAll(async () => {
  await sender.close();
  await simulator.stop();
});
beforeEach(() => simulator.reset());

const chat = (model: string, beside: Partial<OutboundRequest> = {}, stream = true): OutboundRequest => ({
  method: 'POST',
  url: `${simulator.url}/v1/chat/completions`,
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret' },
  body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Say hello' }] }),
  headMs: 60_000,
  idleMs: 60_000,
  ...beside,
});

const readAll = async ({ body }: OutboundReply): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** The error of a call, wherever it comes: before the head or in the body. */
const failure = async (request: OutboundRequest, signal?: AbortSignal): Promise<AppError> => {
  try {
    await readAll(await sender.send(request, signal));
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('it did not fail');
};

const withServer = async (listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> => {
  const server: Server = createServer(listener);
  await listening(server);
  try {
    await use(addressOf(server));
  } finally {
    hangUp(server);
  }
};

describe('a call that goes well', () => {
  test('the body arrives as it was sent, and the key and the request at the upstream', async () => {
    const reply = await sender.send(chat('gpt-4o'));
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('text/event-stream');
    expect(await readAll(reply)).toMatch(/data: \[DONE\]\n\n$/);
    const { last } = await simulator.calls();
    expect(last?.headers).toMatchObject({ authorization: 'Bearer sk-secret', 'accept-encoding': 'identity' });
    expect(last?.headers['user-agent']).toBeUndefined();
  });

  test('a fast upstream does not starve the event loop', async () => {
    const length = 8 * MEBIBYTE;
    await withServer(
      (_, response) => void response.end(Buffer.alloc(length, 'x')),
      async (url) => {
        const { body } = await sender.send({ method: 'GET', url, headers: {} });
        let inTurn = 0;
        const turns: number[] = [];
        await body[Symbol.asyncIterator]().each?.((piece) => {
          if (inTurn === 0) {
            setImmediate(() => {
              turns.push(inTurn);
              inTurn = 0;
            });
          }
          inTurn += piece.length;
          return true;
        });
        await new Promise((resolve) => setImmediate(resolve));
        expect(turns.reduce((sum, bytes) => sum + bytes, 0)).toBe(length);
        expect(Math.max(...turns)).toBeLessThanOrEqual(128 * 1024);
      },
    );
  });

  test('a connection is used again by the next call, never by two at once', async () => {
    for (let index = 0; index < 5; index += 1) await readAll(await sender.send(chat('gpt-4o', {}, false)));
    const before = (await simulator.calls()).connections;
    await Promise.all(
      Array.from({ length: 5 }, async () => readAll(await sender.send(chat('fault-silent-100', {}, false)))),
    );
    expect((await simulator.calls()).connections).toBeGreaterThanOrEqual(before + 3);
  });
});

describe('a call that goes wrong', () => {
  test.each([
    ['fault-reset', 'upstream_failed'],
    ['fault-close-unanswered', 'upstream_failed'],
    ['fault-not-http', 'upstream_failed'],
    ['fault-reset-mid-stream', 'upstream_failed'],
    ['fault-half-close', 'upstream_failed'],
    ['fault-short-body', 'upstream_failed'],
    ['fault-broken-chunking', 'upstream_failed'],
    ['fault-big-headers', 'upstream_failed'],
    ['fault-gzip-broken', 'upstream_failed'],
    ['fault-gzip-bomb', 'upstream_failed'],
    ['fault-unknown-encoding', 'upstream_failed'],
    ['fault-redirect-loopback', 'upstream_failed'],
  ])('%s fails with %s', async (model, code) => {
    const error = await failure(chat(model));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain(simulator.url);
  });

  test('a redirect is not followed', async () => {
    const error = await failure(chat('fault-redirect-loopback'));
    expect(error.upstream?.status).toBe(307);
    expect((await simulator.calls()).trapped).toBe(0);
  });

  test('silence before the answer and within it have separate time limits', async () => {
    const early = await failure(chat('fault-hang-before-headers', { headMs: 300 }));
    expect(early).toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringContaining('no head within 0.3 s'),
    });
    const late = await failure(chat('fault-hang-mid-stream', { idleMs: 300 }));
    expect(late).toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringContaining('silent for 0.3 s'),
    });
    await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  });

  test('an answer that goes on and on is given up when its time is over, however often a blank comes', async () => {
    let blanks = 0;
    await withServer(
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => ((blanks += 1), response.write(' ')), 20);
        response.once('close', () => clearInterval(timer));
      },
      async (url) => {
        const error = await failure(chat('m', { url, wholeMs: 600 }));
        expect(error).toMatchObject({
          code: 'upstream_timeout',
          message: expect.stringContaining('not done within 0.6 s'),
        });
        expect(blanks).toBeGreaterThan(1);
      },
    );
  });

  test('an upstream that does not take the request is given up in time, and has not had it', async () => {
    await withServer(
      () => undefined,
      async (url) => {
        const error = await failure(chat('m', { url, body: Buffer.alloc(64 * MEBIBYTE, ' '), headMs: 300 }));
        expect(error).toMatchObject({ code: 'upstream_timeout', isUnsent: true });
        expect(error.message).toContain('0.3 s');
      },
    );
  });

  test('a name that does not resolve and a port where nobody listens', async () => {
    const unknown = await failure(chat('m', { url: 'http://no-such-host.invalid/' }));
    expect(unknown.code).toBe('upstream_failed');
    // Operators are told which it is; callers are not told the address.
    expect(unknown.message).toMatch(/^the connection to the upstream failed \((ENOTFOUND|EAI_AGAIN)\)$/);
    const refused = await failure(chat('m', { url: 'http://127.0.0.1:1/' }));
    expect(refused.code).toBe('upstream_failed');
    expect(refused.message).toBe('the connection to the upstream failed (ECONNREFUSED)');
    expect(refused.cause).toMatchObject({ code: 'ECONNREFUSED' });
    expect((await failure(chat('m', { url: 'not an address' }))).code).toBe('upstream_failed');
    expect((await failure(chat('m', { url: 'ftp://127.0.0.1/' }))).code).toBe('upstream_failed');
  });

  test('a header that cannot be sent is an error of ours, and nothing is sent', async () => {
    expect((await failure(chat('m', { headers: { authorization: 'Bearer a\r\nx: y' } }))).code).toBe(
      'upstream_failed',
    );
    expect((await simulator.calls()).count).toBe(0);
  });
});

describe('a call that is given up', () => {
  test('before it is sent, nothing is sent', async () => {
    const error = await failure(chat('gpt-4o'), AbortSignal.abort());
    expect(error.code).toBe('client_closed');
    expect((await simulator.calls()).count).toBe(0);
  });

  test('while the upstream thinks, its connection is closed', async () => {
    const controller = new AbortController();
    const waiting = failure(chat('fault-hang-before-headers'), controller.signal);
    await expect.poll(async () => (await simulator.calls()).open).toBe(1);
    controller.abort(new AppError('unavailable', 'stopping'));
    expect((await waiting).code).toBe('unavailable');
    await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  });

  test('because its time is over, it was the upstream that took too long, and no caller who left', async () => {
    for (const model of ['fault-hang-before-headers', 'fault-endless-stream'])
      expect((await failure(chat(model), awakeSignal(50))).code).toBe('upstream_timeout');
    await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  });

  test('in the middle of the body, by signal, by leaving the loop, or by discarding it unread', async () => {
    const controller = new AbortController();
    const byForce = failure(chat('fault-endless-stream'), controller.signal);
    await expect.poll(async () => (await simulator.calls()).open).toBe(1);
    controller.abort();
    expect((await byForce).code).toBe('client_closed');
    const left = await sender.send(chat('fault-endless-stream'));
    for await (const chunk of left.body) if (chunk.length > 0) break;
    const discarded = await sender.send(chat('fault-endless-stream'));
    discarded.body.discard();
    expect(await readAll(discarded)).toBe('');
    await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  });

  test('a signal that outlives its calls collects no listeners', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => ((listeners += 1), add(...given));
    signal.removeEventListener = (...given: Parameters<typeof remove>) => (
      (listeners -= 1),
      remove(...given)
    );
    await readAll(await sender.send(chat('gpt-4o'), signal));
    await failure(chat('fault-reset'), signal);
    await failure(chat('fault-redirect-loopback'), signal);
    expect(listeners).toBe(0);
  });
});

describe('a reader that is slow', () => {
  test('pauses the upstream, and memory stays flat', async () => {
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, 'a');
    await withServer(
      (_, response) => {
        const go = (): void => {
          while (!response.destroyed && sent < 1000) {
            sent += 1;
            if (!response.write(piece)) return void response.once('drain', go);
          }
          response.end();
        };
        response.writeHead(200);
        go();
      },
      async (url) => {
        const before = process.memoryUsage().arrayBuffers;
        const { body } = await sender.send(chat('m', { url }));
        // What the kernel holds between the two ends is not ours.
        expect(await untilStill(() => sent)).toBeLessThan(300);
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * MEBIBYTE);
        let bytes = 0;
        for await (const chunk of body) bytes += chunk.length;
        expect(bytes).toBe(1000 * piece.length);
      },
    );
  });
});

describe('the guard at the connected address', () => {
  test('refuses by number and by name, and nothing arrives', async () => {
    const guarded = createSender({ clock: systemClock, allowAddress: () => false });
    for (const url of [simulator.url, simulator.url.replace('127.0.0.1', 'localhost')]) {
      await expect(guarded.send(chat('gpt-4o', { url }))).rejects.toMatchObject({
        code: 'upstream_failed',
        reason: 'address_refused',
      });
    }
    expect((await simulator.calls()).count).toBe(0);
    await guarded.close();
  });
});
