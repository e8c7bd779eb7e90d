import { z } from 'zod';
import { endpoint, nothing } from '../endpoint.ts';
import { OPTION_MAX_LENGTH } from '../limits.ts';
import { text } from '../text.ts';

export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option',
  access: 'admin',
  owner: 'none',
  summary: 'Every option that is not a secret, as text',
  data: z.array(z.object({ key: z.string(), value: z.string() })),
});

export const updateOption = endpoint({
  method: 'PUT',
  path: '/api/option',
  access: 'admin',
  owner: 'none',
  summary: 'Set one option; a value that does not fit is refused and nothing changes',
  body: z.strictObject({
    key: text(100),
    value: z.union([text(OPTION_MAX_LENGTH), z.boolean(), z.number()]).transform(String),
  }),
  data: nothing,
});
