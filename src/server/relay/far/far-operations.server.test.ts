import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** Calls that are no chats are answered and charged alike, whether this thread reads their bodies or another. */

/** More than is read in the main thread. */
const LONG = 'x'.repeat(700_000);
const NVIDIA = 104;

const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/ranking': {
    rankings: [
      { index: 1, logit: 0 },
      { index: 0, logit: -1 },
    ],
    usage: { prompt_tokens: 7, total_tokens: 7 },
  },
  '/v1/images/generations': { created: 1, data: [{ b64_json: 'AAAA' }, { b64_json: 'AAAA' }] },
  '/v1beta/models/words:embedContent': { embedding: { values: [0.5] } },
};

let upstream: Server;
let scene: Scene;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/v1/audio/speech')
        return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3');
      const answer = ANSWERS[request.url ?? ''];
      return void response
        .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer ?? {}));
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.stage.channel(scene.root, { type: NVIDIA, baseUrl, models: 'ranks' });
  await scene.stage.channel(scene.root, { type: 1, baseUrl, models: 'draws,speaks' });
  await scene.stage.channel(scene.root, { type: 24, baseUrl, models: 'words' });
  await scene.set('ModelRatio', '{"ranks":1,"draws":1,"speaks":1,"words":1}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const answered = async ({ key }: Spender, path: string, body: object) => {
  const response = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

const usedBy = async (name: string, path: string, body: object): Promise<number> => {
  const spender = await scene.spender(name, 100_000_000);
  expect(await answered(spender, path, body)).toMatchObject({ status: 200 });
  return (await scene.server.parts.stores.users.byId(spender.user.id))?.usedQuotaUnits ?? -1;
};

it('a rerank gives back the documents it was asked with, however long they are', async () => {
  const spender = await scene.spender('ranker', 100_000_000);
  const documents = [LONG, `${LONG}y`];
  const body = { model: 'ranks', query: 'x', documents, return_documents: true };
  const { status, text } = await answered(spender, '/v1/rerank', body);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    results: [
      { index: 1, relevance_score: 0.5, document: { text: documents[1] } },
      { index: 0, document: { text: documents[0] } },
    ],
  });
});

const draw = { model: 'draws', prompt: 'a cat', n: 1, size: '1024x1024' };
const speak = { model: 'speaks', input: 'a cat', voice: 'alloy' };
const embed = { content: { parts: [{ text: 'a cat' }] } };
const EMBED = '/v1beta/models/words:embedContent';

it.each<[string, string, object]>([
  ['pictures, by those that were drawn', '/v1/images/generations', draw],
  ['speech, by what is read out', '/v1/audio/speech', speak],
  ['embeddings, by what is read', EMBED, embed],
])('what reports no usage costs the same in another thread: %s', async (name, path, body) => {
  const near = await usedBy(`near ${name.slice(0, 5)}`, path, body);
  const far = await usedBy(`far ${name.slice(0, 5)}`, path, { ...body, beside: LONG });
  expect(near).toBeGreaterThan(0);
  expect(far).toBe(near);
});

it.each<[string, string, (text: string) => object]>([
  ['pictures', '/v1/images/generations', (prompt) => ({ ...draw, prompt })],
  ['speech', '/v1/audio/speech', (input) => ({ ...speak, input })],
  ['embeddings', EMBED, (text) => ({ content: { parts: [{ text }] } })],
])('a long text costs what it has: %s', async (name, path, bodyOf) => {
  // Just below and just above what the main thread reads itself, per character.
  const [shorter, longer] = [500_000, 600_000];
  const used = async (length: number) => usedBy(`${name} ${length / 1000}`, path, bodyOf('x'.repeat(length)));
  const [none, near, far] = [await used(1000), await used(shorter), await used(longer)];
  expect((far - none) / (longer - 1000)).toBeCloseTo((near - none) / (shorter - 1000), 6);
});
