import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { role } from '#contract/codes.ts';
import { boundSecrets } from '#contract/options/bound-secrets.ts';
import { isOptionKey, type OptionKey, optionRow, optionTable, optionText } from '#contract/options.ts';
import type { Caller, Got } from './testing/caller.ts';
import { matrix } from './testing/matrix-cases.ts';
import type { CallerName } from './testing/matrix-case.ts';
import { answersOfPage, callsOfPage, optionsOfPage } from './testing/ranks-page.ts';
import { openScene, type Scene } from './testing/scene.ts';

/** Every call and every option must match docs/ranks.md. */

const keys = Object.keys(optionTable).filter(isOptionKey);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

describe('every call', () => {
  it('is on the page once', () => {
    expect(callsOfPage.map(([name]) => name).toSorted()).toEqual(
      endpoints.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
  });

  const marks = { always: ', fresh', 'by-input': ', fresh by input' } as const;
  const ranks = { public: 'guest', user: 'user', admin: 'admin', root: 'super admin' } as const;

  it('is declared as the page says', () => {
    const declared = endpoints.map(({ method, path, access, fresh }) => [
      `${method} ${path}`,
      `${ranks[access]}${path === '/api/user/confirm' ? ', by session' : fresh === undefined ? '' : marks[fresh]}`,
    ]);
    expect(Object.fromEntries(callsOfPage)).toEqual(Object.fromEntries(declared));
  });

  /** The matrix callers that are refused before the handler, by the rank a call needs. */
  const turnedAway: Readonly<Record<string, Partial<Record<CallerName, number>>>> = {
    guest: {},
    user: { anonymous: 401 },
    admin: { anonymous: 401, user: 403, accessToken: 403 },
    'super admin': { anonymous: 401, user: 403, accessToken: 403, admin: 403, adminToken: 403 },
  };
  const asked: readonly CallerName[] = ['anonymous', 'user', 'accessToken', 'admin', 'adminToken', 'root'];

  const isForSessions = (mark: string | undefined): boolean => mark === 'fresh' || mark === 'by session';

  it.each(callsOfPage)('%s answers in the matrix as one of: %s', (name, section) => {
    const [rank = '', mark] = section.split(', ');
    const refused = {
      ...turnedAway[rank],
      ...(isForSessions(mark) && { accessToken: 403, adminToken: 403 }),
    };
    const answers = matrix[name]?.answers;
    const atTheDoor = asked.map((caller) => {
      const answer = answers?.[caller];
      return [caller, answer === 401 || answer === 403 ? answer : undefined];
    });
    // For a call whose rank depends on its input, the matrix may use an input that needs a proof.
    const wanted = asked
      .filter((caller) => mark !== 'fresh by input' || !caller.endsWith('Token') || refused[caller] === 403)
      .map((caller) => [caller, refused[caller]]);
    expect(Object.fromEntries(atTheDoor)).toMatchObject(Object.fromEntries(wanted));
  });
});

describe('every option', () => {
  const setInitial = (call: Caller, key: OptionKey): Promise<Got> =>
    call('/api/option', { method: 'PUT', body: { key, value: optionText(optionRow(key).initial) } });

  const answerOf = ({ status, success, text }: Got): string => {
    if (status === 200 && success === true) return 'yes';
    if (status === 403 && text.includes('fresh_password_needed')) return 'asks';
    return status === 403 || status === 401 ? 'no' : `${status} ${text}`;
  };

  const callersOf = async (rank: number, name: string): Promise<[string, Caller][]> => {
    const { stage, server } = scene;
    const { sessions } = server.parts.stores;
    const stale = await stage.person(`${name.replace(' ', '-')}-1`, rank);
    const staleSession = await stage.session(stale);
    const [session] = await sessions.listOf(stale.id, Date.now());
    await sessions.setFresh(session?.idHash ?? '', 0);
    const fresh = await stage.person(`${name.replace(' ', '-')}-2`, rank);
    return [
      [name, stage.caller(staleSession)],
      [`${name}, fresh`, stage.caller(await stage.session(fresh))],
      [`${name}'s token`, stage.caller(await stage.accessToken(fresh))],
    ];
  };

  it('is on the page once', () => {
    expect(optionsOfPage.map(([key]) => key).toSorted()).toEqual(keys.toSorted());
  });

  it('can be set by exactly the ranks that the page names', async () => {
    const user = await scene.stage.person('just-a-user');
    const who = new Map<string, Caller>([
      ['guest', scene.stage.caller()],
      ['user', scene.stage.caller(await scene.stage.session(user))],
      ...(await callersOf(role.admin, 'admin')),
      ...(await callersOf(role.root, 'super admin')),
    ]);
    const classes = answersOfPage();
    expect([...classes.values()].map((row) => Object.keys(row))).toEqual([
      [...who.keys()],
      [...who.keys()],
      [...who.keys()],
    ]);
    const wrong: string[] = [];
    for (const [key, section] of optionsOfPage) {
      for (const [name, call] of who) {
        const answer = answerOf(await setInitial(call, key as OptionKey));
        if (answer !== classes.get(section)?.[name]) wrong.push(`${key}: ${name} got ${answer}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is class trust where it is a secret, and is bound to what it was entered for', () => {
    const secrets = keys.filter((key) => optionRow(key).secret === true);
    const sections = new Map(optionsOfPage);
    expect(secrets.filter((key) => sections.get(key) !== 'trust')).toEqual([]);
    expect(Object.keys(boundSecrets).toSorted()).toEqual(secrets.toSorted());
  });

  it('that an admin may not set is not set in a batch either, nor by way of a reset', async () => {
    const admin = await scene.stage.person('batch-admin', role.admin);
    const call = scene.stage.caller(await scene.stage.session(admin));
    const options = [
      { key: 'RetryTimes', value: '7' },
      { key: 'SMTPServer', value: 'mail.example' },
    ];
    const answer = await call('/api/option/batch', { method: 'PUT', body: { options } });
    expect([answer.status, answer.message]).toEqual([403, expect.stringContaining('SMTPServer')]);
    expect(scene.server.parts.routing().options.RetryTimes).toBe(0);
    const token = scene.stage.caller(await scene.stage.accessToken(admin));
    expect((await token('/api/option/rest_model_ratio', { method: 'POST' })).status).toBe(403);
  });
});
