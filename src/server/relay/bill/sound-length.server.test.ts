import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';

/** Sound to be written down is held and charged for as long as it plays, however few bytes a second it has. */

let upstream: Server;
let scene: Scene;
/** Forms that the upstream had to their end. */
let heard = 0;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      heard += 1;
      response.writeHead(200, { 'content-type': 'text/plain' }).end('hello');
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ writer: 1 }));
  await scene.set('CompletionRatio', JSON.stringify({ writer: 1 }));
  await scene.stage.channel(scene.root, { baseUrl, models: 'writer' });
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** MPEG 2.5 layer 3 at 8 kbit/s: 72 bytes and 72 ms each. */
const frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc4]), Buffer.alloc(68)]);
const mp3 = (frames: number): Blob =>
  new Blob([Buffer.concat(Array.from({ length: frames }, () => frame))], { type: 'audio/mpeg' });

const write = async ({ key }: Spender, frames: number): Promise<number> => {
  const form = new FormData();
  form.set('model', 'writer');
  form.set('response_format', 'text');
  form.set('file', mp3(frames), 'a.mp3');
  const headers = { authorization: `Bearer sk-${key}` };
  const answer = await fetch(`${scene.server.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers,
    body: form,
  });
  await answer.text();
  return answer.status;
};

const rowOf = async ({ user }: Spender, type: number) => {
  const { logs } = scene.server.parts.stores;
  const { items } = await logs.page({ userId: user.id, type }, { page: 1, pageSize: 1 });
  return items[0];
};

it.each([
  ['in memory', 500, 600],
  ['that goes out while it arrives', 20_000, 24_000],
])('a sound %s costs its minutes, which are held before an upstream can begin', async (_, frames, tokens) => {
  const spender = await scene.spender(`rich-${String(frames)}`, 1_000_000);
  expect(await write(spender, frames)).toBe(200);
  const row = await rowOf(spender, 2);
  expect(row?.quotaUnits).toBe(tokens);
  const { hold_units: held } = JSON.parse(row?.other ?? '{}') as { hold_units: number };
  expect(held).toBe(tokens + tokens / 5);
});

it('whose minutes cannot be paid is refused, whatever was held at first, and no upstream gets all of it', async () => {
  const before = heard;
  // Enough for what so many bytes usually last, 3000 tokens, and not for 24,000.
  const spender = await scene.spender('poor', 10_000);
  expect(await write(spender, 20_000)).toBe(403);
  expect(heard).toBe(before);
  const { users, database } = scene.server.parts.stores;
  await expect.poll(async () => (await users.byId(spender.user.id))?.quotaUnits).toBe(10_000);
  expect(await brokenRules(database)).toEqual([]);
});
