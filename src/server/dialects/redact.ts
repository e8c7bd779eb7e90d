import { withoutEnd } from '#contract/without-end.ts';

const MAX_BYTES = 2048;

const ADDRESS =
  /\b[a-z][a-z0-9+.-]{1,20}(?::\/\/|%3a%2f%2f)(?:[^\s"'<>)\]}[/]*\[[\da-f:.]+\])?[^\s"'<>)\]}]*/gi;
/** A public web address: a name with a dot, not an IP address, no user. */
const OUTER = /^https?:\/\/(?:[a-z\d_-]+\.)+(?<top>[a-z][a-z\d-]+)(?::\d+)?(?:[/?#.,;!]|$)/i;
/** Top-level names used only inside networks. */
const INNER_ENDS: ReadonlySet<string> = new Set([
  'local',
  'localhost',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'corp',
  'home',
  'arpa',
  'svc',
]);

/** An address with the marks that are escaped where it is a part of another one. */
export const withMarks = (address: string): string =>
  address.replaceAll(/%(?:3a|2f|40|3f)/gi, (mark) => decodeURIComponent(mark));

/** Public addresses, such as the caller's picture or a documentation page, stay; internal ones are masked. */
const shownAddress = (address: string): string => {
  const top = OUTER.exec(withMarks(address))?.groups?.['top'];
  return top === undefined || INNER_ENDS.has(top.toLowerCase()) ? '[address]' : address;
};

/** Patterns of credentials and account ids of the known providers. */
const SECRET_SHAPES: readonly [RegExp, string][] = [
  [/\bBearer\s+[^\s"',}]+/gi, 'Bearer [key]'],
  [/(?<![a-z0-9])(?:sk|pk|rk|gsk|xai|nvapi|hf|jina|tvly|pplx|csk)[-_][\w*.-]{6,}/gi, '[key]'],
  [/\bAIza[\w-]{10,}/g, '[key]'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g, '[key]'],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, '[key]'],
  [/\b((?:api[-_ ]?key|access[-_ ]?token|secret|password)["']?\s*[:=]\s*["']?)[^\s"',&}]{4,}/gi, '$1[key]'],
  [/\b(?:org|proj|acct|user)[-_][A-Za-z0-9]{8,}\b/g, '[account]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, '[address]'],
];

/**
 * An upstream's message, safe to show and store: without keys, internal addresses or `secrets`, at most 2 KB. Only the
 * beginning is searched, so that a long body costs nothing.
 */
export const redact = (text: string, secrets: readonly string[] = []): string => {
  let clean = text.slice(0, MAX_BYTES * 2);
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[key]');
  return shorten(masked(clean));
};

const masked = (text: string): string => {
  let clean = text.replace(ADDRESS, shownAddress);
  for (const [shape, word] of SECRET_SHAPES) clean = clean.replace(shape, word);
  return clean;
};

const MOST_LOOKED_AT = 64 * 1024;

/** Whether a text would be masked, or is too long to check. */
export const hasToHide = (text: string): boolean => text.length > MOST_LOOKED_AT || masked(text) !== text;

const shorten = (text: string): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  // A character cut in the middle decodes to U+FFFD, which is dropped.
  return `${withoutEnd(bytes.toString('utf8', 0, MAX_BYTES - 3), '\uFFFD')}…`;
};
