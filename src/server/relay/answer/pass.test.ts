import { expect, it } from 'vitest';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { bytesAnswer } from './pass.ts';

const passed = async (headers: OutboundReply['headers']) => {
  const sound = (async function* () {
    yield Buffer.from('sound');
  })();
  const reply = { status: 200, headers, body: Object.assign(sound, { discard: () => {} }) };
  const answer = await bytesAnswer(reply);
  return answer.kind === 'bytes' ? answer.headers : undefined;
};

it('Content-Length is passed on only where it is what framed the body', async () => {
  const type = { 'content-type': 'audio/mpeg' };
  expect(await passed({ ...type, 'content-length': '5', 'x-internal': '1' })).toEqual({
    ...type,
    'content-length': '5',
  });
  expect(await passed({ ...type, 'content-length': '5', 'transfer-encoding': 'chunked' })).toEqual(type);
  expect(await passed({ ...type, 'content-length': '5, 5' })).toEqual(type);
});
