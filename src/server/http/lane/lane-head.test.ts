import { expect, test } from 'vitest';
import { readLaneHead } from './lane-head.ts';

const FIRST = ['POST /v1/chat/completions HTTP/1.1', 'Host: gate.example', 'Authorization: Bearer a'];
const heads = [
  [...FIRST, 'Content-Length: 5'],
  [...FIRST, 'Content-Length: 77'],
  [...FIRST, 'content-length: 5'],
  [...FIRST.with(2, 'Authorization: Bearer b'), 'Content-Length: 5'],
  [...FIRST.with(2, 'X-Api-Key: a'), 'Content-Length: 5'],
  [...FIRST.with(2, 'Content-Length: 5'), 'Authorization: Bearer a'],
  [...FIRST.with(2, 'Content-Length: 5'), 'Content-Length: 5'],
  [...FIRST.with(2, 'Host: other.example'), 'Content-Length: 5'],
  [...FIRST.with(2, 'Connection: close'), 'Content-Length: 5'],
  [...FIRST.with(2, 'Transfer-Encoding: chunked'), 'Content-Length: 5'],
  [...FIRST.with(1, 'Host: '), 'Content-Length: 5'],
  [...FIRST, 'Content-Length: 5', 'Accept: */*'],
].map((lines) => lines.join('\r\n'));

const facts = (text: string, before?: string) => {
  const head = readLaneHead(text, before === undefined ? undefined : readLaneHead(before));
  return head && [head.target, head.headers, head.contentLength, head.closes];
};

test('a head is read the same whatever the head before it on its connection was', () => {
  expect(heads.flatMap((text, place) => (facts(text) === undefined ? [] : [place]))).toEqual([
    0, 1, 2, 3, 4, 5, 8, 11,
  ]);
  for (const text of heads) for (const before of heads) expect(facts(text, before)).toEqual(facts(text));
});
