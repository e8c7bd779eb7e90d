import { spelledRight } from './decisive-fields.ts';
import { AppError } from './error.ts';
import { jsonMembers } from './json-members.ts';

/** Looking for each name in a longer text would cost more than reading where its names stand. */
const SEARCHED_CHARACTERS = 16 * 1024;
/** Some times what any format has. */
const MOST_FIELDS = 1000;

const isPlain = (text: string, names: readonly string[]): boolean =>
  text.length <= SEARCHED_CHARACTERS &&
  // A name may be spelled with escapes.
  !text.includes('\\u00') &&
  names.every((name) => {
    const quoted = `"${name}"`;
    return text.indexOf(quoted, text.indexOf(quoted) + 1) === -1;
  });

/**
 * Refuses a body that two readers would read differently: bytes are repeated as they came, and what was priced here must
 * be what is made there. A name given twice counts once here, the last time; others take the first. `text` is `bytes`
 * decoded, `body` what was read of it. Throws `invalid_request` with the name, and for more
 * fields than any format has.
 */
export const assertOneMeaning = (
  bytes: Buffer,
  text: string,
  body: Readonly<Record<string, unknown>>,
): void => {
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
  if (isPlain(text, names)) return;
  const seen = new Set<string>();
  for (const { name } of jsonMembers(bytes)) {
    if (seen.has(name))
      throw new AppError('invalid_request', `the field '${name}' is given twice`, { param: name });
    seen.add(name);
  }
};
