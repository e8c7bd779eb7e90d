import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { type MailServer, startMailServer } from '../../../../simulator/mail/start.ts';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import type { Caller } from '../../../http/testing/caller.ts';
import { PASSWORD, type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

/** Two names that look alike would be mistaken for each other. */

const folder = temporaryFolder();
let mail: MailServer;
let server: RunningServer;
let stage: Stage;
let root: Caller;
let anonymous: Caller;
let made = 0;

beforeAll(async () => {
  mail = await startMailServer(['--plain']);
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = stage.caller(await stage.session(await stage.person('root', role.root)));
  anonymous = stage.caller();
  for (const [key, value] of Object.entries({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mail.port),
    SMTPFrom: 'gate@example.com',
  }))
    await root('/api/option', { method: 'PUT', body: { key, value } });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
  folder.remove();
});

const register = (username: string, more: object = {}) =>
  anonymous('/api/user/register', { method: 'POST', body: { username, password: PASSWORD, ...more } });
const login = (username: string) =>
  anonymous('/api/user/login', { method: 'POST', body: { username, password: PASSWORD } });

describe('a display name', () => {
  it.each(['safe\u202egnp.exe', 'two\nlines', 'bell\u0007', '\u2066x'])('%j is refused', async (name) => {
    const self = stage.caller(await stage.session(await stage.person(`d${(made += 1)}`)));
    const got = await self('/api/user/self', { method: 'PUT', body: { display_name: name } });
    expect([got.status, got.message]).toEqual([400, expect.stringContaining('invisible')]);
  });

  it('keeps names as written: scripts, joined emoji, markup characters', async () => {
    const self = stage.caller(await stage.session(await stage.person(`d${(made += 1)}`)));
    for (const display_name of ['محمد', '👩‍💻 Ada', '<b>"Bob" & co</b>']) {
      expect((await self('/api/user/self', { method: 'PUT', body: { display_name } })).message).toBe('');
      expect((await self('/api/user/self')).data).toMatchObject({ display_name });
    }
  });
});

describe('a new username', () => {
  it.each(['root', 'ROOT', 'Root ', 'ｒｏｏｔ'])('%j counts as taken where there is a root', async (name) => {
    expect((await register(name)).message).toBe('this username or email is taken');
  });

  it.each([
    ['root\u200b', /invisible/],
    ['root\u00ad', /invisible/],
    ['\u202etoor', /invisible/],
    ['root\u0007', /invisible/],
    ['\u3164', /invisible/],
    ['bob@qq.com', /must not contain @/],
    ['ro ot', /spaces/],
    ['ro\u00a0ot', /spaces/],
    [' \u3000 ', /./],
    ['ro\0ot', /NUL/],
    ['ﷺ', /12/],
    // Cyrillic and Greek letters among Latin ones, and alphabets that hardly anybody reads.
    ['rо\u043et', /look alike/],
    ['\u0430dmin', /look alike/],
    ['r\u03bfot', /look alike/],
    ['\u0440\u03bft', /look alike/],
    ['\ua4e3\ua4f3\ua4f3\ua4d4', /look alike/],
    ['\u13a1\u13aa\u13ac', /look alike/],
    [`a${'\u0301\u0316'.repeat(5)}`, /look alike/],
    ['\u0316root', /look alike/],
  ])('%j is refused', async (name, message) => {
    const got = await register(name);
    expect([got.status, got.success]).toEqual([400, false]);
    expect(got.message).toMatch(message);
  });

  it.each([
    ['сора', ['copa', 'СОРА', 'COPA', 'cοpa', 'c\u1d0fpa']],
    ['jerky', ['јегку']],
    ['Noël', ['noёl', 'NOËL']],
    ['bob', ['ВОВ', 'βοβ', 'ʙoʙ']],
    ['admin', ['ɑdmin', 'adm\u0131n', 'ᴀᴅᴍɪɴ']],
  ])('that looks like %s counts as taken', async (name, others) => {
    expect((await register(name)).message).toBe('');
    for (const other of others) expect([other, (await register(other)).success]).toEqual([other, false]);
  });

  it.each([
    ['paul', ['pauI', 'pau1', 'PAUI', 'pau\u0399', 'ΡΑU1']],
    ['Illia', ['lllia', '1llia', 'IIlia', 'Il1ia']],
    ['b0nd', ['bond', 'BOND', 'BОND']],
    ['HOTHY', ['ΗΟΤΗΥ', 'H0THY']],
    ['ΝΟΗΥ', ['NOHY', 'nohy', 'N0HY']],
  ])('that a reader would confuse with %s counts as taken', async (name, others) => {
    expect((await register(name)).message).toBe('');
    for (const other of others) expect([other, (await register(other)).success]).toEqual([other, false]);
  });

  it('that only begins like another, or is drawn in other letters, is free', async () => {
    for (const name of ['level1', 'level2', 'level11', 'ivanka', 'lvanka', 'Ηλίας', 'nliac'])
      expect([name, (await register(name)).message]).toEqual([name, '']);
  });

  it('signs in however its letters are typed', async () => {
    expect((await register('Hopper')).message).toBe('');
    for (const typed of ['hopper', 'HOPPER', ' ｈｏｐｐｅｒ', 'hорреr'])
      expect((await login(typed)).data).toMatchObject({ username: 'Hopper' });
    // What is only drawn like it is another name.
    expect((await login('h0pper')).success).toBe(false);
  });

  it('keeps its letters, in any script, and signs in as it was typed', async () => {
    const typedNames = [
      'Ada-1',
      '王小明',
      'ｗｉｄｅ',
      'zoe\u0301',
      '😀',
      'Иван-2',
      'Αθηνά',
      'สมชาย',
      'Tさくら',
      '한글abc',
      'मुझे',
      'עברית',
    ];
    for (const typed of typedNames) {
      expect((await register(typed)).message).toBe('');
      expect((await login(typed)).data).toMatchObject({ username: typed.normalize('NFKC') });
    }
  });

  it('applies the same rules when the owner or an admin renames an account', async () => {
    const user = await stage.person('renamer');
    const self = stage.caller(await stage.session(user));
    const both = (username: string) =>
      Promise.all([
        self('/api/user/self', { method: 'PUT', body: { username } }),
        root('/api/user', { method: 'PUT', body: { id: user.id, username } }),
      ]);
    for (const [name, message] of [
      ['ROOT', /taken/],
      ['r\u200b', /invisible/],
    ] as const)
      for (const got of await both(name)) expect(got.message).toMatch(message);
    expect((await self('/api/user/self', { method: 'PUT', body: { username: 'RENAMER' } })).message).toBe('');
    expect((await self('/api/user/self')).data).toMatchObject({ username: 'RENAMER' });
  });

  it('that is taken leaves the code of the address good for another', async () => {
    await root('/api/option', { method: 'PUT', body: { key: 'EmailVerificationEnabled', value: 'true' } });
    const email = 'late@example.com';
    expect((await anonymous(`/api/verification?email=${email}`)).message).toBe('');
    const text = (await mail.mails()).at(-1)?.text ?? '';
    const verification_code = /^(\d{6})\r?$/m.exec(text)?.[1] ?? '';
    expect((await register('root', { email, verification_code })).message).toBe(
      'this username or email is taken',
    );
    expect((await register('late', { email, verification_code })).message).toBe('');
    expect((await login(email)).data).toMatchObject({ username: 'late' });
  });
});
