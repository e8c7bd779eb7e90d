import { AppError } from './error.ts';
import { jsonMembers } from './json-members.ts';

/** Looking for each name in a longer text would cost more than reading where its names stand. */
const SEARCHED_CHARACTERS = 16 * 1024;
/** Fields a price or a limit is read from. Some servers read names in any case (Go's `encoding/json`). */
const DECISIVE: ReadonlySet<string> = new Set([
  'model',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'stream',
  'size',
  'quality',
  'service_tier',
  'background',
]);

/** As Go folds names: `ſ` is an s and the Kelvin sign a k. */
const folded = (name: string): string => name.toUpperCase().toLowerCase();

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
 * decoded, `body` what was read of it. Throws `invalid_request` with the name.
 */
export const assertOneMeaning = (
  bytes: Buffer,
  text: string,
  body: Readonly<Record<string, unknown>>,
): void => {
  const names = Object.keys(body);
  const other = names.find((name) => !DECISIVE.has(name) && DECISIVE.has(folded(name)));
  if (other !== undefined) {
    throw new AppError('invalid_request', `unknown field '${other}': write '${folded(other)}'`, {
      param: other,
    });
  }
  if (isPlain(text, names)) return;
  const seen = new Set<string>();
  for (const { name } of jsonMembers(bytes)) {
    if (seen.has(name))
      throw new AppError('invalid_request', `the field '${name}' is given twice`, { param: name });
    seen.add(name);
  }
};
