/** Shorter texts are no keys, and would be found everywhere. */
const LEAST_KEY_CHARACTERS = 8;
/** Of a part that a dot or a line ends, which ordinary words have as well. */
const LEAST_OF_A_PIECE = 16;
/** `us-east-1` stands beside keys, and in answers that are nobody's secret. */
const REGION = /^(?:[a-z]+-)+[a-z]*\d*$/;
const NUMBER = /^\d{1,15}$/;
const ADDRESS = /^https?:\/\//;
/** Members of a key written as JSON that are secret: of a service account its private key and that key's id. */
const SECRET_MEMBER = /key|secret|token|password/i;
const NO_SECRET = /^(?:https?:|-----)/;

/**
 * What of a channel's key an upstream may not have repeated: the whole and each part that is secret by itself. Keys of
 * several parts are `id|secret|region` or JSON; a private key is repeated line by line by what prints it.
 */
export const keyParts = (key: string): readonly string[] => {
  const whole = key.trim();
  const members = jsonStrings(whole);
  if (members !== undefined) return members.flatMap((member) => [member, ...pieces(member)]).filter(isPlain);
  const parts = whole.split(/[|\n]/).map((part) => part.trim());
  const secret = parts.filter(
    (part) =>
      part.length >= LEAST_KEY_CHARACTERS && !REGION.test(part) && !NUMBER.test(part) && !ADDRESS.test(part),
  );
  const all = [...secret, ...secret.flatMap(pieces)];
  if (whole.length >= LEAST_KEY_CHARACTERS) all.unshift(whole);
  return [...new Set(all)];
};

const isPlain = (text: string): boolean =>
  text.length >= LEAST_KEY_CHARACTERS && !NO_SECRET.test(text) && !text.includes('\n');

/** The lines of a private key, the halves of `id.secret`. */
const pieces = (text: string): string[] =>
  text
    .split(/[.\n]/)
    .filter((piece) => piece.length >= LEAST_OF_A_PIECE && piece !== text && !NO_SECRET.test(piece));

const jsonStrings = (text: string): string[] | undefined => {
  if (!text.startsWith('{')) return undefined;
  try {
    return Object.entries(JSON.parse(text) as object).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' && SECRET_MEMBER.test(name) ? [value] : [],
    );
  } catch {
    return undefined;
  }
};
