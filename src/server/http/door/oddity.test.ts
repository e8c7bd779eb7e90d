import { connect } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openDoor } from '../testing/open-door.ts';
import { upgradeOddity } from './oddity.ts';

const asking = (headers: Record<string, string>, httpVersion = '1.1'): IncomingMessage => {
  const all = { host: 'a', upgrade: 'websocket', connection: 'Upgrade', ...headers };
  const rawHeaders = Object.entries(all).flat();
  return {
    url: '/v1/responses',
    httpVersion,
    httpVersionMajor: 1,
    headers: all,
    rawHeaders,
  } as IncomingMessage;
};

describe('who asks for a WebSocket', () => {
  test.each<[string, IncomingMessage, string | undefined]>([
    ['nothing odd', asking({}), undefined],
    ['a body of no length', asking({ 'content-length': '0' }), undefined],
    ['a body', asking({ 'content-length': '5' }), 'an upgrade has no body'],
    ['a body in chunks', asking({ 'transfer-encoding': 'chunked' }), 'an upgrade has no body'],
    ['HTTP/1.0', asking({}, '1.0'), 'an upgrade needs HTTP/1.1'],
    ['what is odd of any request', asking({ host: 'a b' }), 'the Host header names no host'],
  ])('with %s', (_, request, odd) => {
    expect(upgradeOddity(request)).toBe(odd);
  });
});

test.each([
  [
    'of a coding nobody knows',
    'POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n',
  ],
  ['of another version', 'POST /v1/embeddings HTTP/2.0\r\nHost: a\r\n\r\n'],
])('a request %s is answered once, whatever comes behind it', async (_, request) => {
  const door = await openDoor(async ({ reply }) => {
    reply.start(200, {});
    reply.end(Buffer.from('{}'));
  });
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(door.port, '127.0.0.1', () =>
      socket.write(`${request}GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n`),
    );
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  await door.stop();
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect(answer).toContain('Connection: close');
});

test.each([
  ['breaks off after its answer', ['3\r\n', 'zz\r\n'], ['404']],
  ['is whole before what follows it is no request', ['0\r\n\r\n', 'NO REQUEST\r\n\r\n'], ['404', '400']],
])('a body that %s', async (_, rest, statuses) => {
  const door = await openDoor(() => Promise.resolve());
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(door.port, '127.0.0.1', () =>
      socket.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'),
    );
    let received = '';
    socket.once('data', () => socket.write(rest.join('')));
    socket.on('data', (data) => (received += data.toString()));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  await door.stop();
  expect(answer.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(statuses);
});
