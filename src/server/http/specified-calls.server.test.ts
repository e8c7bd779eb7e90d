import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { drawing } from '#core/task/testing/drawing.ts';
import type { User } from '#core/user/user.ts';
import type { Caller } from './testing/caller.ts';
import { matrix } from './testing/matrix-cases.ts';
import { openScene, type Scene } from './testing/scene.ts';
import type { Stage } from './testing/stage.ts';

/**
 * Every call the specification lists for channels, tokens, codes, wallet, logs, tasks, prices and the playground: the
 * fields of its answer, and its answer to invalid ids and bodies. The matrix tests who may call. Source: specification
 * part 2, sections 3 and 7.
 */

const words = (text: string): readonly string[] => text.split(/\s+/);

const CHANNEL = words(`id name type key openai_organization max_input_tokens base_url other model_mapping
  status_code_mapping setting models group auto_ban test_model priority weight tag status response_time used_quota
  balance expired_time other_info test_time balance_updated_time created_time`);
const TOKEN =
  words(`id name key status remain_quota used_quota unlimited_quota expired_time model_limits_enabled
  model_limits allow_ips group created_time`);
const CODE = words('id name key status quota count created_time used_user_id');
const LOG =
  words(`id created_at type channel channel_name username user_id token_name group model_name use_time
  is_stream prompt_tokens completion_tokens quota content other`);
const STATS = words('quota rpm tpm');
const DRAWING = words(`submit_time finish_time action mj_id code status progress image_url prompt prompt_en
  fail_reason`);
const TASK = words('submit_time finish_time platform action task_id status fail_reason progress');
const PRICE = words('model_name quota_type model_ratio completion_ratio model_price enable_groups');

/** The shape of an answer's data: an object with these fields, or a list or page of such. */
const answers: Readonly<Record<string, readonly string[] | 'anything'>> = {
  'GET /api/option': words('key value'),
  'PUT /api/option': 'anything',
  'GET /api/reset_password': 'anything',
  'POST /api/user/reset': 'anything',
  'GET /api/channel': CHANNEL,
  'GET /api/channel/search': CHANNEL,
  'GET /api/channel/:id': CHANNEL,
  'POST /api/channel': 'anything',
  'PUT /api/channel': CHANNEL,
  'DELETE /api/channel/:id': 'anything',
  'GET /api/channel/models': ['id'],
  'GET /api/channel/fetch_models/:id': 'anything',
  'POST /api/channel/fetch_models': 'anything',
  'GET /api/channel/test/:id': 'anything',
  'GET /api/channel/test': 'anything',
  'GET /api/channel/update_balance/:id': 'anything',
  'GET /api/channel/update_balance': 'anything',
  'DELETE /api/channel/disabled': 'anything',
  'POST /api/channel/batch': 'anything',
  'POST /api/channel/batch/tag': 'anything',
  'POST /api/channel/fix': 'anything',
  'PUT /api/channel/tag': 'anything',
  'POST /api/channel/tag/enabled': 'anything',
  'POST /api/channel/tag/disabled': 'anything',
  'GET /api/channel/test_upstream/:id': ['groups'],
  'GET /api/group': 'anything',
  'GET /api/token': TOKEN,
  'GET /api/token/:id': TOKEN,
  'GET /api/token/search': TOKEN,
  'POST /api/token': TOKEN,
  'PUT /api/token': TOKEN,
  'DELETE /api/token/:id': 'anything',
  'GET /api/user/models': 'anything',
  'GET /api/user/self/groups': ['default'],
  'GET /api/redemption': CODE,
  'GET /api/redemption/search': CODE,
  'GET /api/redemption/:id': CODE,
  'POST /api/redemption': 'anything',
  'PUT /api/redemption': CODE,
  'DELETE /api/redemption/:id': 'anything',
  'POST /api/user/topup': 'anything',
  'POST /api/user/amount': 'anything',
  'POST /api/user/pay': 'anything',
  'GET /api/user/self': words('quota group used_quota request_count username'),
  'GET /api/user/:id': words('quota group used_quota request_count username'),
  'GET /api/log': LOG,
  'GET /api/log/self': LOG,
  'GET /api/log/stat': STATS,
  'GET /api/log/self/stat': STATS,
  'GET /api/mj': [...DRAWING, 'channel_id'],
  'GET /api/mj/self': DRAWING,
  'GET /api/task': [...TASK, 'channel_id'],
  'GET /api/task/self': TASK,
  'GET /api/pricing': PRICE,
  'GET /api/status': 'anything',
};
const called = Object.keys(answers);
const known = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

let scene: Scene;
let stage: Stage;
let root: User;
let call: Caller;

beforeAll(async () => {
  scene = await openScene();
  ({ stage, root, asRoot: call } = scene);
});
afterAll(() => scene.close());

it('each is a call of this server, with a row of its own in the matrix', () => {
  expect(called.filter((name) => !known.has(name) || matrix[name] === undefined)).toEqual([]);
});

const partsOf = (name: string): readonly [string, string] => {
  const [method = '', path = ''] = name.split(' ');
  return [method, path];
};
/** The first item of a list or page, else the data itself. */
const oneOf = (data: unknown): unknown => {
  const items: unknown = (data as { items?: unknown } | null)?.items ?? data;
  return Array.isArray(items) ? items[0] : items;
};

describe('what is answered has the fields of the specification', () => {
  beforeAll(async () => {
    const channel = await stage.channel(root, { models: 'gpt-4o' });
    await stage.option(root, 'ModelPrice', '{"gpt-4o":1}');
    await stage.token(root);
    await stage.code(root);
    const nowMs = Date.now();
    const times = { createdAtMs: nowMs, submittedAtMs: nowMs, finishedAtMs: nowMs };
    const task = { userId: root.id, username: root.username, channelId: channel.id, ...times };
    for (const platform of ['mj', 'suno'] as const)
      await scene.server.parts.stores.tasks.create(
        drawing({ ...task, platform, publicId: `task-of-${platform}` }),
      );
  });

  const readable = called.filter((name) => name.startsWith('GET') && answers[name] !== 'anything');
  it.each(readable)('%s', async (name) => {
    const [, path] = partsOf(name);
    const ids: Readonly<Record<string, () => Promise<number>>> = {
      '/api/user/:id': async () => (await stage.person('somebody')).id,
      '/api/token/:id': async () => (await stage.token(root)).id,
      '/api/redemption/:id': async () => stage.codeId(await stage.code(root)),
    };
    const id = path.includes(':id') ? ((await ids[path]?.()) ?? (await stage.channel(root)).id) : '';
    const got = await call(path.replace(':id', String(id)));
    expect(got).toMatchObject({ status: 200, success: true, message: '' });
    const fields = answers[name] as readonly string[];
    const one = Object(oneOf(got.data)) as object;
    expect(fields.filter((field) => !Object.hasOwn(one, field))).toEqual([]);
  });
});

describe('an invalid id is refused, and never a server error', () => {
  const withId = called.filter((name) => name.includes(':id'));
  it.each(withId)('%s', async (name) => {
    const [method, path] = partsOf(name);
    for (const id of ['0', '-1', '1.5', 'x', '1e3', '9'.repeat(30), '%00', '999999']) {
      for (const slash of ['', '/']) {
        const got = await call(path.replace(':id', id) + slash, { method });
        expect([id, got.success, got.status < 500, got.message !== '']).toEqual([id, false, true, true]);
      }
    }
  });
});

describe('an invalid body is refused in words', () => {
  const withBody = called.filter((name) => known.get(name)?.body !== undefined);
  const send = (name: string, type: string, body: string) => {
    const [method, path] = partsOf(name);
    return fetch(`${scene.server.url}${path}`, {
      method,
      body,
      headers: { ...headers, 'content-type': type },
    });
  };
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    headers = await stage.session(root);
  });

  it.each(withBody)('%s', async (name) => {
    for (const [type, body, status] of [
      ['application/json', '{', 400],
      ['application/json', '', 400],
      ['application/json', 'null', 400],
      ['application/json', '[]', 400],
      ['application/json', '"text"', 400],
      ['text/plain', '{}', 415],
    ] as const) {
      const got = await send(name, type, body);
      const { success, message } = (await got.json()) as { success: boolean; message: string };
      expect([body, got.status, success, message !== '']).toEqual([body, status, false, true]);
    }
  });
});
