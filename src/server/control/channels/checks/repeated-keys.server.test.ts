import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { Caller } from '../../../http/testing/caller.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';

/** An upstream repeats the key that we send it to an admin who checks the channel: no answer and no row has it. */

const KEY = 'sk-up-key/0123456789abcdef';
const SPELLINGS = {
  plain: KEY,
  escaped: KEY.replaceAll('/', '\\/').replaceAll('-', '\\u002D'),
  'in base64': Buffer.from(KEY).toString('base64'),
};

let scene: Scene;
let admin: Caller;
let server: Server;
let url: string;
let spelled = KEY;
let status = 200;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const model = `{"id":"${spelled}","object":"model"}`;
      const balance = `"hard_limit_usd":"${spelled}","total_usage":"${spelled}"`;
      const error = `{"message":"no, ${spelled}","type":"${spelled}","code":"${spelled}"}`;
      response.end(`{"object":"list","data":[${model}],${balance},"error":${error}}`);
    });
  });
  url = await listening(server);
  scene = await openScene();
  admin = scene.stage.caller(await scene.stage.session(await scene.stage.person('admin', role.admin)));
});
afterAll(async () => {
  await scene.close();
  hangUp(server);
});

const cases = Object.keys(SPELLINGS).flatMap((spelling) =>
  [200, 400, 401, 500].map((code) => [spelling, code] as const),
);

it.each(cases)('%s, with status %i', async (spelling, code) => {
  spelled = SPELLINGS[spelling as keyof typeof SPELLINGS];
  status = code;
  const { id } = await scene.stage.channel(scene.root, { baseUrl: url, key: KEY, models: 'gpt-small' });
  const wish = { type: 1, name: 'a draft', key: KEY, base_url: url, models: 'gpt-small', group: 'default' };
  const answers = [
    await admin(`/api/channel/test/${id}`),
    await admin(`/api/channel/update_balance/${id}`),
    await admin(`/api/channel/fetch_models/${id}`),
    await admin('/api/channel/fetch_models', { method: 'POST', body: { type: 1, key: KEY, base_url: url } }),
    await admin('/api/channel/test', { method: 'POST', body: wish }),
    await admin(`/api/channel/${id}`),
    await admin('/api/log/?p=1&page_size=100'),
  ];
  // What was sent, by whom ever, is found however it is escaped.
  const told = answers.map(({ text }) => JSON.stringify(JSON.parse(text)).replaceAll('\\/', '/'));
  const secrets = [KEY.slice(3), SPELLINGS['in base64']];
  expect(told.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  expect(told.filter((text) => text.includes('********')).length).toBeGreaterThan(1);
});
