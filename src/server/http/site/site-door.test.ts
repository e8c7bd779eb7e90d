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
