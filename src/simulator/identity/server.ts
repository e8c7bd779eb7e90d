import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** The next user who signs in, and an optional fault. */
export interface NextSignIn {
  readonly id: string;
  readonly username: string;
  /** `denied`: the user says no. `error`: the token call fails. `slow`: it takes so long. `garbled`: answers are no JSON. */
  readonly fault?: 'denied' | 'error' | 'garbled' | 'slow' | 'foreign-id';
}

interface Granted extends NextSignIn {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

const CLIENT = 'simulated-client';
const SECRET = 'simulated-secret';
const SLOW_MS = 15_000;

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const idToken = (key: KeyObject, issuer: string, { id, nonce, fault }: Granted): string => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    sub: fault === 'foreign-id' ? 'somebody-else' : id,
    aud: CLIENT,
    iat: nowSeconds,
    exp: nowSeconds + 300,
    nonce,
  };
  const signed = `${base64url({ alg: 'RS256', kid: 'one' })}.${base64url(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

/** RFC 6749, 2.3.1: both halves are form-encoded before they are joined. */
const isBasic = (header = ''): boolean => {
  const [id = '', secret = ''] = Buffer.from(header.replace(/^basic /i, ''), 'base64')
    .toString()
    .split(':');
  return decodeURIComponent(id) === CLIENT && decodeURIComponent(secret) === SECRET;
};

/** The consent page: every user agrees at once. */
const authorize = (
  url: URL,
  next: NextSignIn,
  codes: Map<string, Granted>,
  response: ServerResponse,
): void => {
  const back = new URL(url.searchParams.get('redirect_uri') ?? 'http://nowhere.invalid');
  const state = url.searchParams.get('state') ?? '';
  back.searchParams.set('state', state);
  if (url.searchParams.get('client_id') !== CLIENT) {
    json(response, 400, { error: 'unknown client' });
    return;
  }
  if (next.fault === 'denied') {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'the user said no');
  } else {
    const code = randomUUID();
    codes.set(code, {
      ...next,
      challenge: url.searchParams.get('code_challenge') ?? '',
      nonce: url.searchParams.get('nonce') ?? '',
      redirectUri: url.searchParams.get('redirect_uri') ?? '',
    });
    back.searchParams.set('code', code);
  }
  response.writeHead(302, { location: back.href }).end();
};

const profile = (path: string, granted: Granted | undefined, response: ServerResponse): void => {
  if (granted === undefined) {
    json(response, 401, { message: 'bad credentials' });
    return;
  }
  const { id, username } = granted;
  if (path === '/user') json(response, 200, { id: Number(id), login: username, name: username });
  else if (path === '/userinfo')
    json(response, 200, { sub: id, preferred_username: username, name: username });
  else json(response, 200, { id, username, name: username, global_name: username });
};

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

/** A fake of all identity services: GitHub, LinuxDO, Discord, OpenID, WeChat's server, Turnstile. */
export const createIdentitySimulator = (): Server => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, Granted>();
  const tokens = new Map<string, Granted>();
  let next: NextSignIn = { id: '1001', username: 'octo' };

  /** Checks the client, the code (once), the verifier and the address, as RFC 6749 and 7636 ask. */
  const token = async (issuer: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await textOf(request));
    const granted = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const isClient = form.get('client_secret') === SECRET || isBasic(request.headers.authorization);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (granted?.fault === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS).unref());
    if (granted?.fault === 'garbled') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else if (!isClient) json(response, 401, { error: 'invalid_client' });
    else if (
      granted === undefined ||
      granted.fault === 'error' ||
      granted.challenge !== challenge ||
      granted.redirectUri !== form.get('redirect_uri')
    )
      json(response, 400, { error: 'invalid_grant', error_description: 'the code is not valid' });
    else {
      const access = randomUUID();
      tokens.set(access, granted);
      const isOpenid = granted.nonce !== '';
      json(response, 200, {
        access_token: access,
        token_type: 'bearer',
        ...(isOpenid ? { id_token: idToken(keys.privateKey, issuer, granted) } : {}),
      });
    }
  };

  return createServer((request, response) => {
    const issuer = `http://${request.headers.host ?? ''}`;
    const url = new URL(request.url ?? '/', issuer);
    void answer(url.pathname);

    async function answer(path: string): Promise<void> {
      if (path === '/__identity/next') {
        next = JSON.parse(await textOf(request)) as NextSignIn;
        json(response, 200, {});
      } else if (path.endsWith('/authorize')) authorize(url, next, codes, response);
      else if (/\/(token|access_token)$/.test(path)) await token(issuer, request, response);
      else if (path === '/api/wechat/user') wechat(request, response, url);
      else if (/\/(user|userinfo|users\/@me)$/.test(path))
        profile(path, tokens.get((request.headers.authorization ?? '').replace(/^bearer /i, '')), response);
      else if (path === '/.well-known/openid-configuration') json(response, 200, discovery(issuer));
      else if (path === '/jwks')
        json(response, 200, {
          keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }],
        });
      else if (path === '/turnstile/v0/siteverify') {
        const form = new URLSearchParams(await textOf(request));
        const success = form.get('secret') === SECRET && form.get('response') === 'human';
        json(response, form.get('response') === 'broken' ? 500 : 200, { success });
      } else json(response, 404, { message: 'not found' });
    }
  });
};

/** The code `1234` is the openid `wx-open-id`; every other is unknown. */
const wechat = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
  if (request.headers.authorization !== SECRET)
    json(response, 401, { success: false, message: 'unauthorized' });
  else if (url.searchParams.get('code') === '1234')
    json(response, 200, { success: true, message: '', data: 'wx-open-id' });
  else json(response, 200, { success: true, message: '', data: '' });
};
