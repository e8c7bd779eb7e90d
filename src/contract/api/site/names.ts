import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';

/** Names that several screens choose from. */

export const listModels = endpoint({
  method: 'GET',
  path: '/api/models',
  access: 'user',
  owner: 'none',
  summary: 'Well-known model names by channel type',
  data: z.record(z.string(), z.array(z.string())),
});

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/group',
  access: 'admin',
  owner: 'none',
  summary: 'Group names',
  data: z.array(z.string()),
});
