const MAX_BYTES = 2048;

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s"'<>)\]}[/]*\[[\da-f:.]+\])?[^\s"'<>)\]}]*/gi;
/** Of the web at large: a name with a dot, no numbers in its place, no user before it. */
const OUTER = /^https?:\/\/(?:[a-z\d_-]+\.)+(?<top>[a-z][a-z\d-]+)(?::\d+)?(?:[/?#.,;!]|$)/i;
/** Ends of names that only mean something inside a network. */
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

/** A caller's own picture and a page of documentation are no secret; what stands inside a network is. */
const shownAddress = (address: string): string => {
  const top = OUTER.exec(address)?.groups?.['top'];
  return top === undefined || INNER_ENDS.has(top.toLowerCase()) ? '[address]' : address;
};

/** Shapes of credentials and addresses of the providers this talks to. */
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
 * An upstream's sentence as it may be shown and kept: without keys, inner addresses or what `secrets` names, at most 2 KB.
 * Only the beginning is looked at, so that a long body costs nothing.
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

/** Whether a text has anything in it that would be masked, or is too long to tell. */
export const hasToHide = (text: string): boolean => text.length > MOST_LOOKED_AT || masked(text) !== text;

const shorten = (text: string): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  // A character cut in the middle decodes to U+FFFD, which is dropped.
  return `${bytes.toString('utf8', 0, MAX_BYTES - 3).replace(/\uFFFD+$/, '')}…`;
};
