import { z } from 'zod';
import { endpoint, page, pageQuery } from '../endpoint.ts';
import { GROUP_NAME_MAX_LENGTH, SEARCH_MAX_LENGTH } from '../limits.ts';
import { text } from '../text.ts';
import { self } from './session.ts';

/** An account as an admin sees it; deleted ones stay in the list with their time of deletion. */
export const user = self.extend({ DeletedAt: z.string().nullable() });

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/user',
  access: 'admin',
  owner: 'any',
  summary: 'Accounts, newest first',
  query: z.object(pageQuery),
  data: page(user),
});

export const searchUsers = endpoint({
  method: 'GET',
  path: '/api/user/search',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary: 'Accounts by id, name, display name or e-mail, and group',
  query: z.object({
    ...pageQuery,
    keyword: text(SEARCH_MAX_LENGTH).default(''),
    group: text(GROUP_NAME_MAX_LENGTH).default(''),
  }),
  data: page(user),
});

export const readUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'One account of lower rank',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  data: user,
});
