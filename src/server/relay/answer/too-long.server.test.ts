import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** A request whose answer would be longer than allowed. */

const MODEL = 'text-embedding-3-large';
/** 2,048 of them take over 64 MiB, 907 do not. */
const VECTOR = `{"object":"embedding","index":0,"embedding":[${'-0.012345678,'.repeat(3000)}0]},`;

let scene: Scene;
let upstream: Server;
let asked = 0;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      asked += 1;
      const { input } = JSON.parse(text) as { input: unknown[] };
      response.setHeader('content-type', 'application/json');
      response.write('{"object":"list","data":[');
      for (let at = 1; at < input.length && !response.destroyed; at += 1) response.write(VECTOR);
      response.end(`${VECTOR.slice(0, -1)}],"model":"m","usage":{"prompt_tokens":2,"total_tokens":2}}`);
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.set('RetryTimes', 3);
  for (let channel = 0; channel < 2; channel += 1)
    await scene.stage.channel(scene.root, { type: 1, baseUrl, models: MODEL, groups: 'default' });
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const ask = async (key: string, inputs: number, more: object = {}): Promise<unknown> => {
  const answer = await fetch(`${scene.server.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, input: Array.from({ length: inputs }, () => 'a'), ...more }),
  });
  const text = await answer.text();
  return answer.ok ? answer.status : [answer.status, (JSON.parse(text) as { error: object }).error];
};

it('is refused before any upstream is asked, with the length that may be asked for', async () => {
  const { key } = await scene.spender('many-inputs', 1_000_000);
  const before = asked;
  expect(await ask(key, 2049)).toEqual([400, expect.objectContaining({ param: 'input' })]);
  expect(await ask(key, 2048)).toEqual([
    400,
    expect.objectContaining({
      param: 'input',
      message: expect.stringMatching(/at most 907 inputs.*'dimensions'.*base64/) as unknown,
    }),
  ]);
  expect(asked).toBe(before);
  expect(await ask(key, 907)).toBe(200);
});

it('is tried once at one channel where it was not foreseen, and the next call is answered', async () => {
  const { key } = await scene.spender('long-answers', 1_000_000);
  const before = asked;
  // This upstream writes numbers although base64 is asked for.
  const tooLong = () => ask(key, 2048, { encoding_format: 'base64' });
  expect([await tooLong(), asked - before]).toEqual([[502, expect.anything()], 1]);
  expect([await tooLong(), asked - before]).toEqual([[502, expect.anything()], 2]);
  expect([await ask(key, 1), asked - before]).toEqual([200, 3]);
});
