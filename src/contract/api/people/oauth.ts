import { z } from 'zod';
import { endpoint, nothing } from '../../endpoint.ts';
import { oauthNames, serviceNames } from '../../sign-in-services.ts';
import { text, typedCode } from '../../text.ts';
import { secondStep, sessionUser } from './session.ts';

const oauthProvider = z.enum(oauthNames);
const anyProvider = z.enum(serviceNames);

/** Signed in, or waiting for the second factor. */
const entered = z.union([sessionUser, secondStep]);

export const oauthState = endpoint({
  method: 'GET',
  path: '/api/oauth/state',
  access: 'public',
  owner: 'none',
  rate: 'oauth',
  fresh: 'by-input',
  summary: 'Begin a sign-in at another service: a state for this browser alone, and the address to open',
  query: z.object({ aff: typedCode(64).optional(), provider: oauthProvider.optional() }),
  data: z.string(),
  fields: z.object({ authorize_url: z.string() }),
});

export const oauthCallback = endpoint({
  method: 'GET',
  path: '/api/oauth/:provider',
  access: 'public',
  owner: 'none',
  rate: 'oauth',
  summary: 'Finish a sign-in at another service; the message `bind` means that the account was bound',
  params: z.object({ provider: oauthProvider }),
  query: z.object({
    code: text(4096).default(''),
    state: text(200).default(''),
    error: text(200).optional(),
    error_description: text(1000).optional(),
    iss: text(2048).optional(),
  }),
  data: entered.nullable(),
  fields: z.object({ message: z.string() }),
});

export const unbindIdentity = endpoint({
  method: 'DELETE',
  path: '/api/oauth/:provider/bind',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'Unbind your own account from another service; never the last way in',
  params: z.object({ provider: anyProvider }),
  data: nothing,
});

const wechatCode = z.object({ code: typedCode(64), aff: typedCode(64).optional() });

export const wechatLogin = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat',
  access: 'public',
  owner: 'none',
  rate: 'code',
  summary: 'Sign in with the code the WeChat account answered',
  query: wechatCode,
  data: entered,
});

export const wechatBind = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat/bind',
  access: 'user',
  owner: 'self',
  rate: 'code',
  fresh: 'always',
  summary: 'Bind WeChat to your own account with the code the WeChat account answered',
  query: wechatCode,
  data: nothing,
});

/** The Telegram widget's data; it signs every field except the hash. */
const telegramAnswer = z.object({
  id: text(32).regex(/^\d+$/),
  first_name: text(256).optional(),
  last_name: text(256).optional(),
  username: text(256).optional(),
  photo_url: text(2048).optional(),
  auth_date: text(16).regex(/^\d+$/),
  hash: text(128),
});

export const telegramLogin = endpoint({
  method: 'GET',
  path: '/api/oauth/telegram/login',
  access: 'public',
  owner: 'none',
  rate: 'oauth',
  summary: 'Sign in with the data the Telegram widget signed; only bound accounts',
  query: telegramAnswer,
  data: entered,
});

export const telegramBind = endpoint({
  method: 'GET',
  path: '/api/oauth/telegram/bind',
  access: 'user',
  owner: 'self',
  rate: 'oauth',
  fresh: 'always',
  summary: 'Bind Telegram to your own account with the data its widget signed',
  query: telegramAnswer,
  data: nothing,
});
