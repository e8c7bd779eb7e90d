import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { groupName } from '../../text.ts';

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

export const readGroupUse = endpoint({
  method: 'GET',
  path: '/api/group/use',
  access: 'admin',
  owner: 'none',
  summary: 'What a group is used by, and what is shut out when it is removed',
  query: z.object({ name: groupName.min(1) }),
  data: z.object({
    /** Accounts in it, and tokens that name it, none of them deleted. */
    users: z.number(),
    tokens: z.number(),
    channels: z.number(),
  }),
});
