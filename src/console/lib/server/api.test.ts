// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { login } from '#contract/api/people/session.ts';
import { listTokens, readToken, updateToken } from '#contract/api/people/tokens.ts';
import { t } from '../text/i18n.ts';
import { addressOf, call } from './api.ts';
import zh from '../../locales/zh/common.json' with { type: 'json' };
import { ApiError, messageOf } from './api-error.ts';
import { endSession, onSessionExpired, rebuildPage, sessionUser, startSession } from '../session/session.ts';
import { signInRequest } from '../session/sign-in-again.ts';

const user = { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' };

const answer = (status: number, body: unknown): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(text, { status, headers: { 'X-Oneapi-Request-Id': 'req-1' } })),
  );
};

beforeEach(() => startSession(user));
afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

it('fills in path and query, and leaves empty filters out', () => {
  expect(addressOf(readToken, { params: { id: 12 } })).toBe('/api/token/12');
  expect(addressOf(listTokens, { query: { p: 2, page_size: 50, keyword: '', token: undefined } })).toBe(
    '/api/token?p=2&page_size=50',
  );
});

it('sends the user id, the language and JSON, and returns the data of a success', async () => {
  answer(200, { success: true, message: '', data: { id: 12 } });
  await expect(
    call(updateToken, { query: { status_only: 'true' }, body: { id: 12, status: 2 } }),
  ).resolves.toEqual({ id: 12 });
  const [address, init] = vi.mocked(fetch).mock.calls[0] ?? [];
  expect(address).toBe('/api/token?status_only=true');
  expect(init).toMatchObject({ method: 'PUT', body: '{"id":12,"status":2}' });
  expect(init?.headers).toMatchObject({
    'New-Api-User': '7',
    'Accept-Language': 'zh',
    'Content-Type': 'application/json',
  });
});

it("throws the server's message with the request id", async () => {
  answer(200, { success: false, message: 'token not found', data: null });
  const error = await call(readToken, { params: { id: 1 } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ message: 'Token not found', status: 200, requestId: 'req-1' });
});

it("asks the page's user to sign in again on a 401, and repeats the call", async () => {
  answer(200, { success: true, message: '', data: { id: 1 } });
  await call(readToken, { params: { id: 1 } });
  answer(401, { success: false, message: 'expired' });
  const asked = call(readToken, { params: { id: 2 } });
  await expect.poll(() => signInRequest.get()?.owner).toEqual(user);
  answer(200, { success: true, message: '', data: { id: 2 } });
  startSession(user);
  await expect(asked).resolves.toEqual({ id: 2 });
  expect(signInRequest.get()).toBeUndefined();
});

it('does not repeat a call if another user has signed in instead, nor end their session', async () => {
  answer(200, { success: true, message: '', data: { id: 1 } });
  await call(readToken, { params: { id: 1 } });
  answer(401, { success: false, message: 'expired' });
  const asked = call(readToken, { params: { id: 2 } });
  await expect.poll(() => signInRequest.get()).toBeDefined();
  startSession({ ...user, id: 8 });
  await expect(asked).rejects.toThrow('expired');
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(sessionUser()?.id).toBe(8);
});

it('asks nobody to sign in again where the page is no longer theirs, also if it has asked already', async () => {
  answer(200, { success: true, message: '', data: { id: 1 } });
  await call(readToken, { params: { id: 1 } });
  answer(401, { success: false, message: 'expired' });
  const asked = call(readToken, { params: { id: 2 } });
  await expect.poll(() => signInRequest.get()).toBeDefined();
  rebuildPage();
  await expect(asked).rejects.toThrow('expired');
  expect(signInRequest.get()).toBeUndefined();
  await expect(call(readToken, { params: { id: 2 } })).rejects.toThrow('expired');
});

it('ends the session on a 401 if the user declines, except if the 401 answers a sign-in', async () => {
  const heard = vi.fn<() => void>();
  const stop = onSessionExpired(heard);
  answer(200, { success: true, message: '', data: { id: 1 } });
  await call(readToken, { params: { id: 1 } });
  answer(401, { success: false, message: 'expired' });
  await expect(call(login, { body: { username: 'ada', password: 'x' } })).rejects.toThrow('expired');
  expect(sessionUser()).toEqual(user);
  const asked = call(readToken, { params: { id: 1 } });
  await expect.poll(() => signInRequest.get()).toBeDefined();
  signInRequest.get()?.giveUp();
  await expect(asked).rejects.toThrow('expired');
  expect(sessionUser()).toBeUndefined();
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
});

it.each([
  ['a file of yours is still being sent', 'A file of yours is still being sent'],
  ['gitea.enabled cannot be switched on', 'gitea.enabled cannot be switched on'],
  ['gpt-4o: no such model', 'gpt-4o: no such model'],
  ['请填写密钥', '请填写密钥'],
])('%s becomes a sentence, and names stay as written', async (told, shown) => {
  answer(200, { success: false, message: told, data: null });
  await expect(call(listTokens)).rejects.toMatchObject({ message: shown });
});

it.each([
  [401, 'error.signedOut', '未登录或登录已过期，请重新登录'],
  [405, 'error.demoSite', '本站仅作演示之用，无服务端！'],
  [429, 'error.tooManyRequests', '请求次数过多，请稍后再试！'],
  [500, 'error.internal', '服务器内部错误，请联系管理员！'],
  [418, 'error.http', '请求失败（{{status}}）'],
])('status %i without a message is shown as %s', async (status, key, chinese) => {
  answer(status, { success: false, message: '' });
  await expect(call(listTokens)).rejects.toThrow(key);
  expect(zh.error).toMatchObject({ [key.slice('error.'.length)]: chinese });
});

it('has a message for a status without an envelope, and for no answer', async () => {
  answer(429, '<html>');
  // Without texts loaded a sentence is its key.
  await expect(call(listTokens)).rejects.toThrow('error.tooManyRequests');
  // A server that does not answer is asked again later.
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.reject(new TypeError('failed'))),
  );
  await expect(call(listTokens)).rejects.toMatchObject({ message: 'error.unreachable', status: 0 });
  vi.useRealTimers();
});

it("of what cannot be fetched or loaded it says so, not the browser's own words with an address", () => {
  for (const words of ['Failed to fetch', 'Failed to fetch dynamically imported module: https://gate/a.js'])
    expect(messageOf(new TypeError(words))).toBe(t('error.pageMissing'));
  expect(messageOf(new Error('the price has changed'))).toBe('the price has changed');
});
