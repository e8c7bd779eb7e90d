import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { forwardTo, openSiteDoor } from './site-door.ts';

test('a client that the site knows is known to the thread that has its connection, and only the site can say so', async () => {
  const seen: (string | undefined)[] = [];
  const { door, close } = await openSiteDoor((request, response, arrival) => {
    seen.push(request.headersDistinct['x-tollgate-known']?.join());
    if (request.url === '/signed-in') arrival.visitor.isKnown = true;
    response.writeHead(200, { 'x-of-the-site': arrival.requestId }).end();
  });
  const forward = forwardTo(door);
  const visitors: { isKnown: boolean }[] = [];
  const relay = createServer((request, response) => {
    const visitor = { isKnown: false, messages: undefined };
    visitors.push(visitor);
    const arrival = { requestId: 'r1', ip: '192.0.2.1', secure: false, addressKey: '192.0.2.1', visitor };
    void forward(request, response, arrival);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const told: (string | null)[][] = [];
  for (const path of ['/signed-in', '/nobody']) {
    const { headers } = await fetch(`http://127.0.0.1:${(relay.address() as AddressInfo).port}${path}`, {
      headers: { 'X-Tollgate-Known': 'yes' },
    });
    told.push([headers.get('x-of-the-site'), headers.get('x-tollgate-known')]);
  }
  expect(visitors.map(({ isKnown }) => isKnown)).toEqual([true, false]);
  expect([told, seen]).toEqual([
    [
      ['r1', null],
      ['r1', null],
    ],
    [undefined, undefined],
  ]);
  forward.close();
  relay.close();
  await close(0);
});

test('whoever does not know the secret of the door is hung up on, and the site hears nothing of the call', async () => {
  let calls = 0;
  const { door, close } = await openSiteDoor((_, response) => {
    calls += 1;
    response.end();
  });
  const known = { requestId: 'r1', ip: '192.0.2.1', secure: false, addressKey: '192.0.2.1' };
  const told = (secret: string) => ({
    'x-tollgate-arrival': encodeURIComponent(JSON.stringify({ ...known, secret })),
  });
  const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${door.port}/`, { headers });
  expect((await ask(told(door.secret))).status).toBe(200);
  const wrong = [`${door.secret.slice(0, -1)}!`, `${door.secret}x`, ''].map(told);
  for (const headers of [...wrong, {}]) await expect(ask(headers)).rejects.toThrow('fetch failed');
  expect(calls).toBe(1);
  await close(0);
});
