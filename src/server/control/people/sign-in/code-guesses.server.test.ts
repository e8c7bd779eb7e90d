import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityServer, startIdentityServer } from '../../../../simulator/identity/start.ts';
import type { Caller } from '../../../http/testing/caller.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';

/** Codes are short, so unlimited tries would find one. Here an account has one try instead of the usual five. */

let scene: Scene;
let services: IdentityServer;

beforeAll(async () => {
  services = await startIdentityServer();
  scene = await openScene({ TOLLGATE_LOGIN_LIMIT_PER_ACCOUNT: '1', TRUSTED_PROXIES: '127.0.0.1' });
  await scene.set('WeChatServerAddress', services.url);
  await scene.set('WeChatServerToken', 'simulated-secret');
  await scene.set('WeChatAuthEnabled', true);
});
afterAll(async () => {
  await scene.close();
  await services.stop();
});

let addresses = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${(addresses += 1)}` });
const signedIn = async (name: string): Promise<Caller> =>
  scene.stage.caller(await scene.stage.session(await scene.stage.person(name)));

describe('a code of the app', () => {
  const post = (call: Caller, path: string, body?: object) => call(path, { method: 'POST', body });

  it('is right as the app shows it and as a Chinese keyboard types it', async () => {
    const call = await signedIn('typing');
    const { secret } = (await post(call, '/api/user/2fa/setup')).data as { secret: string };
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const wide = String.fromCodePoint(...Array.from(code, (digit) => 0xff10 + Number(digit)));
    const typed = `${wide.slice(0, 3)} ${wide.slice(3)}`;
    expect((await post(call, '/api/user/2fa/enable', { code: typed })).data).toHaveLength(10);
  });

  it('is not found by trying to switch two-step sign-in on: in a stolen session that would give backup codes', async () => {
    const call = await signedIn('beginning');
    const { secret } = (await post(call, '/api/user/2fa/setup')).data as { secret: string };
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await post(call, '/api/user/2fa/enable', { code: wrong })).message).toBe('the code is wrong');
    const answers = await Promise.all(
      [wrong, code].map((next) => post(call, '/api/user/2fa/enable', { code: next })),
    );
    expect(answers.map(({ status }) => status)).toEqual([429, 429]);
  });
});

describe('a code that WeChat’s account answered', () => {
  const enter = (code: string, headers = elsewhere()) =>
    scene.stage.caller()(`/api/oauth/wechat?code=${code}`, { headers });

  it('cannot be guessed by binding it, from however many addresses', async () => {
    const call = await signedIn('binding');
    const bind = async (code: string) =>
      (await call(`/api/oauth/wechat/bind?code=${code}`, { headers: elsewhere() })).status;
    expect([await bind('1111'), await bind('2222'), await bind('1234')]).toEqual([200, 429, 429]);
    const other = await signedIn('binding2');
    const right = await other('/api/oauth/wechat/bind?code=1234', { headers: elsewhere() });
    expect(right.message).toBe('');
  });

  it('is answered to others while somebody at one address guesses', async () => {
    const stranger = elsewhere();
    const guesses: number[] = [];
    for (let at = 0; at < 30; at += 1) guesses.push((await enter(String(2000 + at), stranger)).status);
    expect(guesses).toEqual([200, ...Array<number>(29).fill(429)]);
    expect((await enter('1234')).success).toBe(true);
  });

  it('cannot be guessed from many addresses at once, and the right code is not counted', async () => {
    for (let at = 0; at < 15; at += 1) expect((await enter('1234')).success).toBe(true);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => enter(String(3000 + at))));
    // One of the ten was tried to be bound, and one from a single address.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    const refused = await enter('1234');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});
