const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const HEAD = new RegExp(`[ \\t]*(${TOKEN}(?:/${TOKEN})?)`, 'y');
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\[^])*)"))?`, 'y');
const END = /[ \t]*$/y;

/** A header's value and what is said of it: `multipart/form-data; boundary=x`, `form-data; name="x"`. */
export interface HeaderValue {
  /** In lower case. */
  readonly value: string;
  /** By names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Reads a value with parameters by its grammar (RFC 9110, 5.6.6), so that a name inside another parameter's quotes is no
 * name. Undefined for what does not follow it, and where a parameter is given twice: readers differ in which they take.
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
