import { z } from 'zod';
import { endpoint, nothing } from '../../endpoint.ts';
import { OPTION_BODY_MAX_BYTES, OPTION_MAX_LENGTH } from '../../limits.ts';
import { emailText, groupName, text } from '../../text.ts';

/** More than a site has. */
const GROUPS_MAX = 1000;
/** More than any form saves together. */
const OPTIONS_AT_ONCE = 50;

export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option',
  access: 'admin',
  owner: 'none',
  summary: 'Every option that is not a secret, as text',
  data: z.array(z.object({ key: z.string(), value: z.string() })),
  /** The secrets that have a value; the values themselves are never sent. */
  fields: z.object({ secrets_set: z.array(z.string()) }),
});

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/option/test_mail',
  access: 'root',
  owner: 'none',
  rate: 'code',
  summary: 'Send a mail with the current mail server; by default to your own address',
  body: z.strictObject({ to: emailText.default('') }),
  data: nothing,
});

/** Groups that are removed although accounts, tokens or channels use them; without their names that is refused. */
export const removeGroups = z.array(groupName).max(GROUPS_MAX).optional();

/** Null where it was saved. A draft waits instead where prices need a second person: another admin has to approve it. */
const saved = z.object({ draft: z.number() }).nullable();

const change = z.strictObject({
  key: text(100),
  value: z.union([text(OPTION_MAX_LENGTH), z.boolean(), z.number()]).transform(String),
  /** The value it was changed from: if it has another by now, nothing is saved. */
  was: text(OPTION_MAX_LENGTH).optional(),
  remove_groups: removeGroups,
});

export const updateOption = endpoint({
  method: 'PUT',
  path: '/api/option',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary:
    'Set one option; refused if it does not fit, changes another than `was`, or removes a group in use not in `remove_groups`',
  body: change,
  bodyMaxBytes: OPTION_BODY_MAX_BYTES,
  data: saved,
});

export const updateOptions = endpoint({
  method: 'PUT',
  path: '/api/option/batch',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Set several options, all or none: an address together with the secret that is sent there',
  body: z.strictObject({ options: z.array(change).min(1).max(OPTIONS_AT_ONCE) }),
  bodyMaxBytes: OPTION_BODY_MAX_BYTES,
  data: saved,
});

export const resetModelRatio = endpoint({
  method: 'POST',
  path: '/api/option/rest_model_ratio',
  access: 'admin',
  owner: 'none',
  fresh: 'by-input',
  summary: 'Forget every model ratio that was set: the built-in ones count again',
  data: saved,
});
