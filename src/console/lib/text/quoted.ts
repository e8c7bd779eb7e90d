/**
 * Names of models come from upstreams, and commands and programs with them in are copied into terminals: a name is a text
 * there, whatever is in it.
 */

/** Whose terminal it is. */
export type Shell = 'bash' | 'powershell';

/** Without a meaning of its own in quotes, in every shell. */
const PLAIN = /^[\w./:@%+=, &-]*$/;
/** What PowerShell takes for a single quote; two of them in a text are one. */
const POWERSHELL_QUOTES = /['\u2018-\u201B]/g;

/** A text as one word of a command. */
export const shellWord = (text: string, shell: Shell = 'bash'): string => {
  if (PLAIN.test(text)) return `"${text}"`;
  return shell === 'bash'
    ? `'${text.replaceAll("'", "'\\''")}'`
    : `'${text.replaceAll(POWERSHELL_QUOTES, '$&$&')}'`;
};

/** A text in Python, TOML or YAML, or with single quotes in JavaScript. */
export const codeText = (text: string, quote: '"' | "'" = '"'): string => {
  const quoted = JSON.stringify(text);
  return quote === '"' ? quoted : `'${quoted.slice(1, -1).replaceAll("'", "\\'")}'`;
};
