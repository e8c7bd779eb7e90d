import { correctSpelling, type Spelling } from '../decisive-fields.ts';
import { AppError } from '../error.ts';
import { isExactNumber } from './exact.ts';
import { jsonMembers } from './members.ts';

/** Several times as many fields as any format has. */
const MOST_FIELDS = 1000;

/** Counts the members of all objects after parsing, where only the last of each duplicate remains. */
export const membersRead = (body: object): number => {
  let members = 0;
  const open: object[] = [body];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!Array.isArray(value)) members += inner.length;
    for (const each of inner)
      if (typeof each === 'object' && each !== null && !isExactNumber(each)) open.push(each);
  }
  return members;
};

/**
 * Refuses a body that two JSON readers would read differently. The bytes are forwarded unchanged, so what was priced
 * here must be what the upstream does: of a duplicate name, we read the last, others the first. `body` is `bytes`
 * parsed, `members` the number of members in its survey. Throws `invalid_request` with the name, also for more fields
 * than any format has.
 */
export const assertOneMeaning = (
  bytes: Buffer,
  body: Readonly<Record<string, unknown>>,
  members: number,
  spelling?: Spelling,
): void => {
  assertNames(body, spelling);
  if (members === membersRead(body)) return;
  const seen = new Set<string>();
  for (const { name } of jsonMembers(bytes)) {
    if (seen.has(name))
      throw new AppError('invalid_request', `the field '${name}' is given twice`, { param: name });
    seen.add(name);
  }
  throw new AppError('invalid_request', 'a name is given twice in one object of the body');
};

/** Rejects misspelled known names, our own names, and more fields than any format has. Throws `invalid_request`. */
export const assertNames = (body: Readonly<Record<string, unknown>>, spelling = correctSpelling): void => {
  const names = Object.keys(body);
  if (names.length > MOST_FIELDS) throw new AppError('invalid_request', 'the body has too many fields');
  for (const name of names) {
    const right = spelling(name);
    if (right !== undefined)
      throw new AppError('invalid_request', `unknown field '${name}': write '${right}'`, { param: name });
    // Names with `$` are reserved for us: the files of a form.
    if (name.startsWith('$'))
      throw new AppError('invalid_request', `unknown field '${name}'`, { param: name });
  }
};
