import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { cheapHashOf } from '../../src/server/core/user/testing/cheap-password.ts';
import type { Tollgate } from './tollgate.ts';

const envelope = z.object({ success: z.boolean(), message: z.string(), data: z.unknown() });

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
}

/** A signed-in user who calls the control plane as a script would. */
export interface Operator {
  readonly userId: number;
  /** Calls the API and returns `data`; throws the message of a refusal. */
  call(path: string, call?: ApiCall): Promise<unknown>;
}

export const rootPassword = 'correct horse battery';

/**
 * From now on the super admin, the only account, signs in for a hundredth of a second of the processor instead of an eighth: every
 * window of every journey signs in.
 */
const makeCheap = ({ dataDir }: Tollgate): void => {
  const file = join(dataDir, 'tollgate.db');
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.prepare('UPDATE users SET password_hash = ?').run(cheapHashOf(rootPassword));
  database.close();
};

/** Makes the super admin of a fresh server and signs in. */
export const setUp = async (tollgate: Tollgate): Promise<Operator> => {
  const body = {
    secret: tollgate.setupSecret ?? '',
    username: 'root',
    password: rootPassword,
    confirmPassword: rootPassword,
  };
  await send(tollgate.url, '/api/setup', {}, { method: 'POST', body });
  makeCheap(tollgate);
  return signIn(tollgate.url, 'root', rootPassword);
};

export const signIn = async (url: string, username: string, password: string): Promise<Operator> => {
  const { data, cookie } = await send(
    url,
    '/api/user/login',
    {},
    { method: 'POST', body: { username, password } },
  );
  const { id } = z.object({ id: z.number() }).parse(data);
  const headers = { cookie, 'New-Api-User': String(id) };
  return { userId: id, call: async (path, call) => (await send(url, path, headers, call)).data };
};

const send = async (
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  call: ApiCall = {},
): Promise<{ data: unknown; cookie: string }> => {
  const response = await fetch(`${url}${path}`, {
    method: call.method ?? 'GET',
    headers: {
      'accept-language': 'en',
      ...headers,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const text = await response.text();
  const answer = envelope.safeParse(parsed(text));
  if (answer.data?.success !== true) {
    throw new Error(
      `${call.method ?? 'GET'} ${path} answered ${response.status}: ${answer.data?.message ?? text}`,
    );
  }
  return { data: answer.data.data, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export interface ChannelToMake {
  /** Default: OpenAI. */
  readonly type?: number;
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly priority?: number;
  readonly weight?: number;
  /** Default: the same for all, as channels of one account have it. */
  readonly key?: string;
  /** Used in turn. Default: one key. */
  readonly keys?: readonly string[];
  /** The upstream's names of its models. */
  readonly mapping?: Readonly<Record<string, string>>;
}

/** Makes an OpenAI-compatible channel. */
export const makeChannel = async (operator: Operator, channel: ChannelToMake): Promise<void> => {
  const {
    type = 1,
    name,
    baseUrl,
    models,
    priority = 0,
    weight = 0,
    key = 'sk-simulated',
    keys,
    mapping,
  } = channel;
  const body = {
    type,
    name,
    key: keys?.join('\n') ?? key,
    ...(keys !== undefined && { pool_mode: 'in_turn' }),
    ...(mapping !== undefined && { model_mapping: JSON.stringify(mapping) }),
    base_url: baseUrl,
    models: models.join(','),
    group: 'default',
    priority,
    weight,
  };
  await operator.call('/api/channel', { method: 'POST', body });
};

/** Makes a token for relayed calls and returns its key, with `sk-`. */
export const makeToken = async (
  operator: Operator,
  settings: Readonly<Record<string, unknown>> = { unlimited_quota: true },
): Promise<{ id: number; key: string }> => {
  const body = { name: 'test', ...settings };
  const made = await operator.call('/api/token', { method: 'POST', body });
  const { id, key } = z.object({ id: z.number(), key: z.string() }).parse(made);
  return { id, key: `sk-${key}` };
};

export const setOption = (operator: Operator, key: string, value: unknown): Promise<unknown> =>
  operator.call('/api/option', {
    method: 'PUT',
    body: { key, value: typeof value === 'object' ? JSON.stringify(value) : value },
  });

/** The caller's remaining and used quota, in units. */
export const balanceOf = async (
  operator: Operator,
): Promise<{ quota: number; used: number; calls: number }> => {
  const self = z
    .object({ quota: z.number(), used_quota: z.number(), request_count: z.number() })
    .parse(await operator.call('/api/user/self'));
  return { quota: self.quota, used: self.used_quota, calls: self.request_count };
};
