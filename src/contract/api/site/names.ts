import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { newGroupName } from '../../options/option.ts';
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
    /** The options that name it. */
    settings: z.array(z.string()),
  }),
});

export const renameGroup = endpoint({
  method: 'POST',
  path: '/api/group/rename',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary:
    'Rename a group wherever it decides later calls, all or none; rows, receipts and past versions keep the name',
  body: z.strictObject({ name: groupName.min(1), to: groupName.pipe(newGroupName) }),
  /** What has followed, and the version of the prices that has the new name. */
  data: z.object({
    version: z.number(),
    users: z.number(),
    tokens: z.number(),
    channels: z.number(),
    drafts: z.number(),
  }),
});
