import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
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
