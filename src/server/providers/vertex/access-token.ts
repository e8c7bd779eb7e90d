import { createHash } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '#core/error.ts';
import type { AuthorizeTools } from '#core/outbound/outbound.ts';
import { readJson } from '../shared/reply/synthetic-reply.ts';
import { noToken, TokenCache } from '../shared/account/token-cache.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_SECONDS = 3600;

const serviceAccount = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  project_id: z.string().min(1),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

export type ServiceAccount = z.output<typeof serviceAccount>;

/** Reads a channel's key as a service account; undefined where it is not JSON. Throws for any other JSON. */
export const readServiceAccount = (key: string): ServiceAccount | undefined => {
  if (!key.trimStart().startsWith('{')) return undefined;
  try {
    return serviceAccount.parse(JSON.parse(key));
  } catch (cause) {
    throw failed('the key of this channel is not the JSON of a service account', cause);
  }
};

const tokens = new TokenCache();

const idOf = (account: ServiceAccount): string =>
  createHash('sha256').update(JSON.stringify(account)).digest('base64');

/**
 * The access token of a service account, cached until it expires (developers.google.com/identity, OAuth 2.0 for
 * server-to-server). Throws `upstream_failed` where Google refuses the account.
 */
export const accessToken = (account: ServiceAccount, tools: AuthorizeTools): Promise<string> => {
  return tokens.get(idOf(account), tools.nowMs, (signal) => fetchToken(account, tools, signal));
};

/** What `TokenCache.forget` does, for a service account. */
export const forgetAccessToken = (account: ServiceAccount, nowMs: number): boolean =>
  tokens.forget(idOf(account), nowMs);

const fetchToken = async (
  account: ServiceAccount,
  { send, nowMs }: AuthorizeTools,
  signal: AbortSignal,
): ReturnType<Parameters<TokenCache['get']>[2]> => {
  const assertion = await sign(account, Math.floor(nowMs / 1000));
  const reply = await send(
    {
      method: 'POST',
      url: account.token_uri,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    },
    signal,
  );
  const told = await readJson(reply);
  const answer = tokenAnswer.safeParse(told);
  if (reply.status !== 200 || !answer.success) throw noToken(reply.status, told);
  const { access_token: token, expires_in: seconds } = answer.data;
  return { token, expiresAtMs: nowMs + seconds * 1000 };
};

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().min(0).max(86_400).default(3600),
});

const sign = async (account: ServiceAccount, now: number): Promise<string> => {
  try {
    const key = await importPKCS8(account.private_key, 'RS256');
    const { private_key_id: kid } = account;
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid !== undefined && { kid }) })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_SECONDS)
      .sign(key);
  } catch (cause) {
    throw failed('the private key of the service account cannot be read', cause);
  }
};

/** An error between us and the upstream: only the operator sees its message. */
const failed = (message: string, cause?: unknown): AppError =>
  new AppError('upstream_failed', 'the upstream could not serve the request', {
    upstream: { status: 401, type: 'authentication_error', message },
    cause,
  });
