import { spelledRight } from './decisive-fields.ts';
import { AppError } from './error.ts';
import { isExactNumber } from './exact-json.ts';
import { endOfString } from './json-bounds.ts';
import { jsonMembers } from './json-members.ts';

/** Some times what any format has. */
const MOST_FIELDS = 1000;

const QUOTE = 0x22;
const COLON = 0x3a;

/** How many members all objects of a JSON text have together, those given twice counted twice. */
const membersWritten = (bytes: Buffer): number => {
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === COLON) members += 1;
    else if (byte === QUOTE) at = endOfString(bytes, at);
    if (at === -1) break;
  }
  return members;
};

/** How many members all objects have together as they were read: of one given twice, the last. */
const membersRead = (body: object): number => {
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
 * Refuses a body that two readers would read differently: bytes are repeated as they came, and what was priced here must
 * be what is made there. A name given twice, at any depth, counts once here, the last time; others take the first. `body`
 * is what was read of `bytes`. Throws `invalid_request` with the name, and for more fields than any format has.
 */
export const assertOneMeaning = (bytes: Buffer, body: Readonly<Record<string, unknown>>): void => {
  const names = Object.keys(body);
  if (names.length > MOST_FIELDS) throw new AppError('invalid_request', 'the body has too many fields');
  for (const name of names) {
    const right = spelledRight(name);
    if (right !== undefined)
      throw new AppError('invalid_request', `unknown field '${name}': write '${right}'`, { param: name });
    // Names of our own, beside the caller's: the files of a form.
    if (name.startsWith('$'))
      throw new AppError('invalid_request', `unknown field '${name}'`, { param: name });
  }
  if (membersWritten(bytes) === membersRead(body)) return;
  const seen = new Set<string>();
  for (const { name } of jsonMembers(bytes)) {
    if (seen.has(name))
      throw new AppError('invalid_request', `the field '${name}' is given twice`, { param: name });
    seen.add(name);
  }
  throw new AppError('invalid_request', 'a name is given twice in one object of the body');
};
