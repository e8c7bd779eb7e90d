import { parsedFields } from '../../json/fields.ts';

/** Shorter texts are not keys and would match everywhere. */
const LEAST_KEY_CHARACTERS = 8;
/** The same limit for a part separated by a dot or line break, because ordinary words are separated so too. */
const LEAST_OF_A_PIECE = 16;
/** Regions such as `us-east-1` stand beside keys and appear in responses without being secret. */
const REGION = /^(?:[a-z]+-)+[a-z]*\d{0,2}$/;
const NUMBER = /^\d{1,15}$/;
const ADDRESS = /^https?:\/\//;
/** Secret fields of a JSON key: a service account's private key and that key's id. */
const SECRET_MEMBER = /key|secret|token|password/i;
const NO_SECRET = /^(?:https?:|-----)/;
/**
 * Prefixes that vendors put before their keys, and that programs may leave out: `sk-proj-`, `sk-ant-api03-`, `gsk_`,
 * `AIza`.
 */
const MAKERS_MARK = /^(?:AIza|[a-z][a-z\d]{0,7}[-_](?:[a-z]{1,8}\d{0,2}[-_]){0,2})(?=.)/i;

/**
 * The parts of a channel's key that no response may repeat: the whole key, and each part that is secret on its own. A
 * key of several parts is `id|secret|region` or JSON; a private key is searched line by line, because it is often
 * printed so.
 */
export const keyParts = (key: string): readonly string[] => {
  const whole = key.trim();
  const members = jsonStrings(whole);
  if (members !== undefined)
    return members.flatMap((member) => [member, ...bare(member), ...pieces(member)]).filter(isPlain);
  const parts = whole.split(/[|\n]/).map((part) => part.trim());
  const secret = parts.filter(
    (part) =>
      part.length >= LEAST_KEY_CHARACTERS && !REGION.test(part) && !NUMBER.test(part) && !ADDRESS.test(part),
  );
  const all = [...secret, ...secret.flatMap(bare), ...secret.flatMap(pieces)];
  if (whole.length >= LEAST_KEY_CHARACTERS) all.unshift(whole);
  return [...new Set(all)];
};

const isPlain = (text: string): boolean =>
  text.length >= LEAST_KEY_CHARACTERS && !NO_SECRET.test(text) && !text.includes('\n');

/** The key without its vendor's prefix, if it has one. */
const bare = (text: string): string[] => {
  const rest = text.replace(MAKERS_MARK, '');
  return rest.length >= LEAST_OF_A_PIECE && rest !== text ? [rest] : [];
};

/** Splits a private key into lines, `id.secret` into halves. */
const pieces = (text: string): string[] =>
  text
    .split(/[.\n]/)
    .filter((piece) => piece.length >= LEAST_OF_A_PIECE && piece !== text && !NO_SECRET.test(piece));

const jsonStrings = (text: string): string[] | undefined => {
  const fields = parsedFields(text);
  if (fields === undefined) return undefined;
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && SECRET_MEMBER.test(name) ? [value] : [],
  );
};
