import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** What the dashboard shows of the status pages that the operator configured. */

let kuma: Server;
let scene: Scene;
let asked: string[] = [];
let page: (path: string) => unknown;

const good = (path: string): unknown =>
  path.includes('/heartbeat/')
    ? {
        heartbeatList: { '1': [{ status: 0 }, { status: 1 }], '2': [{ status: 3 }] },
        uptimeList: { '1_24': 0.9987, '1_720': 0.5, '2_24': 1 },
      }
    : {
        config: { slug: 'eu' },
        publicGroupList: [
          { id: 1, name: 'Relay', monitorList: [{ id: 1, name: 'API' }] },
          {
            id: 2,
            name: 'Site',
            monitorList: [
              { id: 2, name: 'Console' },
              { id: 3, name: 'New' },
            ],
          },
        ],
      };

beforeAll(async () => {
  kuma = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = page(request.url ?? '');
    response.writeHead(body === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  await listening(kuma);
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  hangUp(kuma);
});
beforeEach(() => {
  asked = [];
  page = good;
});

const watch = (more: object = {}) =>
  scene.set(
    'console_setting.uptime_kuma_groups',
    JSON.stringify([
      {
        id: 1,
        categoryName: 'Europe',
        url: `${addressOf(kuma)}/`,
        slug: 'eu',
        ...more,
      },
    ]),
  );
const status = async () => {
  const reply = await fetch(`${scene.server.url}/api/uptime/status`);
  return ((await reply.json()) as { data: unknown }).data;
};

it('shows monitors with their state and the uptime of a day, and asks the page once a minute', async () => {
  await watch();
  const shown = [
    {
      categoryName: 'Europe',
      description: '',
      monitors: [
        { name: 'API', group: 'Relay', uptime: 0.9987, status: 1 },
        { name: 'Console', group: 'Site', uptime: 1, status: 3 },
        { name: 'New', group: 'Site', uptime: 0, status: 0 },
      ],
    },
  ];
  expect(await Promise.all([status(), status(), status()])).toEqual([shown, shown, shown]);
  // Whatever else changes meanwhile.
  await scene.set('Notice', 'Hello');
  expect(await status()).toEqual(shown);
  expect(asked.toSorted()).toEqual(['/api/status-page/eu', '/api/status-page/heartbeat/eu']);
  expect((await scene.asRoot('/api/panels')).data).toMatchObject({ has_uptime: true });
});

it.each([
  ['fails', () => undefined],
  ['is no JSON', () => '<html>'],
  ['says something else', () => ({ publicGroupList: 'none', heartbeatList: {}, uptimeList: { '1_24': 7 } })],
])('shows a group without monitors where its page %s', async (name, answer) => {
  page = answer;
  await watch({ description: name });
  expect(await status()).toEqual([{ categoryName: 'Europe', description: name, monitors: [] }]);
});

it('names no more monitors than fit, nor longer names', async () => {
  const monitorList = Array.from({ length: 500 }, (_, id) => ({ id, name: 'x'.repeat(1000) }));
  page = (path) =>
    path.includes('/heartbeat/')
      ? { heartbeatList: {}, uptimeList: {} }
      : { publicGroupList: [{ name: 'all', monitorList }] };
  await watch({ description: 'many' });
  const [group] = (await status()) as { monitors: { name: string }[] }[];
  expect(group?.monitors).toHaveLength(100);
  expect(group?.monitors[0]?.name).toHaveLength(200);
});

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://a:b@status.example.com'])(
  'refuses the address %s',
  async (url) => {
    const value = JSON.stringify([{ categoryName: 'a', url, slug: 'a' }]);
    const got = await scene.asRoot('/api/option', {
      method: 'PUT',
      body: { key: 'console_setting.uptime_kuma_groups', value },
    });
    expect(got.success).toBe(false);
  },
);

it.each(['../../secret', 'a/b', 'a?b', ''])(
  'refuses the slug "%s", which would ask elsewhere',
  async (slug) => {
    const value = JSON.stringify([{ categoryName: 'a', url: 'https://status.example.com', slug }]);
    const got = await scene.asRoot('/api/option', {
      method: 'PUT',
      body: { key: 'console_setting.uptime_kuma_groups', value },
    });
    expect(got.success).toBe(false);
  },
);
