import { newUsername } from '#contract/api/people/session.ts';
import { issuePhrase } from '#contract/issue-phrase.ts';
import { sayError } from '../../refuse.ts';

/** A new username in its stored form. Throws `invalid_parameter` if it is not allowed. */
export const readUsername = (typed: string): string => {
  const read = newUsername.safeParse(typed);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const issue = first === undefined ? '' : issuePhrase(first);
  throw sayError('invalid_request', 'invalid_parameter', { field: 'username', issue });
};
