import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Two super admins have the settings open, and both save. */

const ROUNDS = 12;

let scene: Scene;
let other: Caller;

beforeAll(async () => {
  scene = await openScene();
  other = scene.stage.caller(await scene.stage.session(await scene.stage.person('other', role.root)));
});
afterAll(() => scene.close());

interface Change {
  readonly key: string;
  readonly value: string;
  readonly was?: string;
}
const put = (as: Caller, ...options: Change[]) =>
  as('/api/option/batch', { method: 'PUT', body: { options }, headers: { 'Accept-Language': 'en' } });
const listed = async (key: string): Promise<string> => {
  const { data } = await scene.asRoot('/api/option');
  return (data as Change[]).find((option) => option.key === key)?.value ?? '';
};
const withGroup = (text: string, name: string): string =>
  JSON.stringify({ ...(JSON.parse(text) as object), [name]: 1 });

it('the second of two who began at the same text is refused and told why', async () => {
  const was = await listed('GroupRatio');
  expect((await put(scene.asRoot, { key: 'GroupRatio', value: withGroup(was, 'first'), was })).message).toBe(
    '',
  );
  const late = await put(
    other,
    { key: 'RetryTimes', value: '7' },
    { key: 'GroupRatio', value: withGroup(was, 'second'), was },
  );
  expect([late.success, late.message]).toEqual([false, expect.stringContaining('somebody else')]);
  expect([await listed('GroupRatio'), await listed('RetryTimes')]).toEqual([withGroup(was, 'first'), '0']);
  const now = await listed('GroupRatio');
  expect((await put(other, { key: 'GroupRatio', value: withGroup(now, 'second'), was: now })).success).toBe(
    true,
  );
  expect(Object.keys(JSON.parse(await listed('GroupRatio')) as object)).toEqual(
    expect.arrayContaining(['first', 'second']),
  );
});

it('of many who save at one instant from the same text, one succeeds', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const was = await listed('UserUsableGroups');
    const saved = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        put(at % 2 === 0 ? scene.asRoot : other, {
          key: 'UserUsableGroups',
          value: JSON.stringify({ ...(JSON.parse(was) as object), default: `g${round}-${at}` }),
          was,
        }),
      ),
    );
    expect(saved.filter(({ success }) => success === true)).toHaveLength(1);
  }
});

it('a change that does not name the text it was made from replaces what is there', async () => {
  expect((await put(other, { key: 'RetryTimes', value: '3' })).success).toBe(true);
  expect((await put(scene.asRoot, { key: 'RetryTimes', value: '0' })).success).toBe(true);
});

it('a secret saved at the same instant as another address is not sent there', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await put(scene.asRoot, { key: 'SMTPServer', value: '' }, { key: 'SMTPToken', value: '' });
    await Promise.all([
      put(other, { key: 'SMTPServer', value: 'elsewhere.example' }),
      put(
        scene.asRoot,
        { key: 'SMTPServer', value: 'mail.example' },
        { key: 'SMTPToken', value: 'the password' },
      ),
      put(other, { key: 'SMTPServer', value: 'elsewhere.example' }),
    ]);
    expect([round, await listed('SMTPServer')]).toEqual([round, 'mail.example']);
  }
});
