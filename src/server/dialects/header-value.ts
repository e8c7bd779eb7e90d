const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const HEAD = new RegExp(`[ \\t]*(${TOKEN}(?:/${TOKEN})?)`, 'y');
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\[^])*)"))?`, 'y');
const END = /[ \t]*$/y;

/** A header value with its parameters: `multipart/form-data; boundary=x`, `form-data; name="x"`. */
export interface HeaderValue {
  /** In lower case. */
  readonly value: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses a value with parameters by its grammar (RFC 9110, 5.6.6), so that text inside quotes is never taken for a
 * parameter. Undefined if it is invalid or repeats a parameter, because readers differ on which one counts.
 */
export const parseHeaderValue = (text: string): HeaderValue | undefined => {
  HEAD.lastIndex = 0;
  const value = HEAD.exec(text)?.[1];
  if (value === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (let at = HEAD.lastIndex; ;) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) {
      END.lastIndex = at;
      return END.test(text) ? { value: value.toLowerCase(), parameters } : undefined;
    }
    at = PARAMETER.lastIndex;
    const [, name, plain, quoted] = match;
    if (name === undefined) continue;
    if (parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), plain ?? (quoted ?? '').replaceAll(/\\([^])/g, '$1'));
  }
};
