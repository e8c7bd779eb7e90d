import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

/** A long queue of a channel, of whose callers half leave. */

const WAITING = 300;
const AT_ONCE = 50;
const LONG_MS = 60_000;
const EACH_PLACE = Array.from({ length: WAITING }, (_, at) => at + 1);
const ordered = (numbers: readonly number[]): readonly number[] =>
  numbers.toSorted((one, other) => one - other);

for (const relays of ['1', '2']) {
  describe(`a queue of hundreds, with ${relays} relays`, () => {
    let scene: Scene;
    let upstream: Server;
    let key = '';
    const said: string[] = [];
    const held: ServerResponse[] = [];
    const agent = new Agent({ maxSockets: Infinity });

    beforeAll(async () => {
      upstream = createServer((asked, response) => {
        let text = '';
        asked.on('data', (chunk: Buffer) => void (text += chunk.toString()));
        asked.on('end', () => {
          said.push(/"content":"([^"]*)"/.exec(text)?.[1] ?? '');
          held.push(response);
        });
      });
      await listening(upstream);
      scene = await openScene({ TOLLGATE_RELAYS: relays, TOLLGATE_CONNECTIONS_PER_ADDRESS: '10000' });
      await scene.set('ModelRatio', '{"m":1}');
      key = (await scene.spender('crowd', 1_000_000_000)).key;
      const { port } = upstream.address() as AddressInfo;
      const capacity = {
        concurrent_calls: 1,
        queue_calls: WAITING + (relays === '1' ? 0 : 1),
        queue_wait_ms: LONG_MS,
      };
      await scene.stage.channel(scene.root, {
        baseUrl: `http://127.0.0.1:${String(port)}`,
        models: 'm',
        setting: JSON.stringify({ capacity }),
      });
      await scene.server.parts.refreshRouting();
    });
    afterAll(async () => {
      agent.destroy();
      await scene.close();
      hangUp(upstream);
    });

    const answerNext = (): void => {
      const response = held.shift();
      response?.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN_ANSWER);
    };
    const call = (content: string) => {
      const { hostname, port } = new URL(scene.server.url);
      const asked = request({
        agent,
        hostname,
        port,
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      });
      const answered = new Promise<{ readonly status: number; readonly after: string | undefined }>(
        (resolve) => {
          asked.on('error', () => resolve({ status: 0, after: undefined }));
          asked.on('response', (response) => {
            response.resume();
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, after: response.headers['retry-after'] }),
            );
          });
        },
      );
      asked.end(JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content }] }));
      return { answered, leave: () => asked.destroy() };
    };
    const openHolds = async (): Promise<number> => {
      const { database } = scene.server.parts.stores;
      const open = await database.writer
        .selectFrom('holds')
        .select('id')
        .where('state', '=', 'open')
        .execute();
      return open.length;
    };
    /** As which each one waited, as the rows say: of those who were served in the order in which they were. */
    const positions = async (type: number): Promise<readonly number[]> => {
      const rows = await scene.server.parts.stores.database.writer
        .selectFrom('logs')
        .select('other')
        .where('type', '=', type)
        .orderBy('id')
        .execute();
      return rows.flatMap(({ other }) => {
        const { queued } = (JSON.parse(other) as { admin_info: { queued?: { position: number } } })
          .admin_info;
        return queued === undefined ? [] : [queued.position];
      });
    };

    it('serves those who stay in their order and nobody who left, and the rows say who was where', async () => {
      const running = call('running');
      await expect.poll(() => held.length).toBe(1);
      const calls: ReturnType<typeof call>[] = [];
      // One after the other into the queue, so that the order is known.
      for (let at = 1; at <= WAITING; at += AT_ONCE) {
        for (let more = 0; more < AT_ONCE; more += 1) calls.push(call(`call ${String(at + more)}`));
        await expect.poll(openHolds).toBe(at + AT_ONCE);
      }
      const leaving = calls.filter((_, at) => at % 2 === 0);
      for (const { leave } of leaving) leave();
      await expect.poll(openHolds).toBe(WAITING / 2 + 1);
      for (let done = 0; done <= WAITING / 2; done += 1) {
        await expect.poll(() => held.length).toBe(1);
        answerNext();
      }
      expect((await running.answered).status).toBe(200);
      const answers = await Promise.all(calls.map(({ answered }) => answered));
      expect(answers.map(({ status }) => status)).toEqual(calls.map((_, at) => (at % 2 === 0 ? 0 : 200)));
      const staying = calls.flatMap((_, at) => (at % 2 === 0 ? [] : [`call ${String(at + 1)}`]));
      expect(said.toSorted()).toEqual(['running', ...staying].toSorted());
      await expect.poll(openHolds).toBe(0);
      const [served, gone] = [await positions(logType.consume), await positions(logType.error)];
      expect([served.length, gone.length]).toEqual([WAITING / 2, WAITING / 2]);
      // Each relay has a queue of its own.
      const isOneQueue = relays === '1';
      // Nobody passed another, and each came one behind the one before, as nobody had left by then.
      expect(isOneQueue ? served : []).toEqual(isOneQueue ? ordered(served) : []);
      expect(isOneQueue ? ordered([...served, ...gone]) : EACH_PLACE).toEqual(EACH_PLACE);
      expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
    }, 240_000);
  });
}
