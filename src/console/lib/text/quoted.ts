/**
 * Quotes names for commands and programs. Names of models come from upstreams, and the texts are pasted into terminals, so a
 * name must stay a plain text whatever it contains.
 */

/** The shell of the terminal. */
export type Shell = 'bash' | 'powershell';

/** Characters without a special meaning inside quotes, in every shell. */
const PLAIN = /^[\w./:@%+=, &-]*$/;
/** Characters that PowerShell reads as a single quote; doubled, they are text. */
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
