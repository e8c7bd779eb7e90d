import { CHANNEL_KEYS_MAX } from '#contract/limits.ts';
import { parsed } from '#contract/json-text.ts';
import { misfit } from '#contract/text.ts';
import { isFields } from '#core/json/fields.ts';
import { refuse, sayError } from '../../refuse.ts';
import { withoutEnd } from '#contract/without-end.ts';

/** A key in a pasted text, with the name beside it; empty for none. */
export interface PastedKey {
  readonly key: string;
  readonly label: string;
}

/** The content of a pasted text. */
export interface PastedKeys {
  /** Each key once. */
  readonly keys: readonly PastedKey[];
  /** Lines that repeat an earlier key. */
  readonly repeated: number;
  /** Comment lines and column titles. */
  readonly remarks: number;
}

/**
 * Copying from a web page or a table may add invisible characters: zero-width characters and text direction marks. No
 * key contains them.
 */
const UNSEEN = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;

/** A key as it stands in a header. It is sent with a `Bearer` of its own. */
const BEARER =
  /(?<=^|[\s,;:=])["'`]?(?:authorization["'`]?\s*[:=]\s*["'`]?)?bearer[\s:=]+["'`]?([^\s"'`,;]+)(?:[,;]?["'`])?/i;
/** A service account stays as it is. */
const withoutScheme = (line: string): string => (line.startsWith('{') ? line : line.replace(BEARER, '$1'));

interface Line {
  readonly number: number;
  readonly text: string;
}

/** The non-empty lines of a pasted text. */
const linesOf = (text: string): Line[] =>
  text
    .replaceAll(UNSEEN, '')
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line, at) => ({ number: at + 1, text: line.trim() }))
    .filter((line) => line.text !== '');

/**
 * Reads keys in common notations: one per line, alone or with a name before or after it, in quotes, as table rows,
 * with remarks, as they stand in a header, as settings of an environment (`OPENAI_API_KEY=…`), or as a JSON list. Throws
 * where it is not clear what of a line is the key.
 */
export const pastedKeys = (text: string): PastedKeys => {
  const keys = new Map<string, PastedKey>();
  const lines = (listed(text) ?? linesOf(text)).map((line) => ({ ...line, text: withoutScheme(line.text) }));
  let remarks = 0;
  for (const { number, text: line } of lines) {
    const found = keyOf(line);
    // A single word is the key, whatever it looks like, because a private upstream may use any text.
    const known = found === 'unclear' && lines.length === 1 ? { key: line, label: '' } : found;
    if (known === 'unclear') throw refuse('channel_key_line', { line: number });
    if (known !== undefined) checkSigns(known.key, number);
    if (known === undefined) remarks += 1;
    else if ((keys.get(known.key)?.label ?? '') === '') keys.set(known.key, known);
  }
  if (keys.size === 0) throw sayError('invalid_request', 'channel_name_and_key');
  if (keys.size > CHANNEL_KEYS_MAX) throw refuse('channel_too_many_keys', { limit: CHANNEL_KEYS_MAX });
  return { keys: [...keys.values()], repeated: lines.length - remarks - keys.size, remarks };
};

/** Throws for a key that no header can carry: it would be saved, and every call would fail. */
const checkSigns = (key: string, line: number): void => {
  const values = misfit(key);
  if (values !== undefined)
    throw refuse('channel_key_sign', { line, issue: { key: 'issue_header', values } });
};

/** The service accounts of a pasted text: one as it was downloaded, or one a line. */
export const pastedAccounts = (text: string): PastedKeys => {
  if (isFields(parsed(text))) return { keys: [{ key: text.trim(), label: '' }], repeated: 0, remarks: 0 };
  const lines = linesOf(text).map((line) => line.text);
  if (lines.length === 0) throw sayError('invalid_request', 'channel_name_and_key');
  if (!lines.every((line) => isFields(parsed(line)))) throw refuse('channel_key_json');
  const keys = [...new Set(lines)];
  if (keys.length > CHANNEL_KEYS_MAX) throw refuse('channel_too_many_keys', { limit: CHANNEL_KEYS_MAX });
  return { keys: keys.map((key) => ({ key, label: '' })), repeated: lines.length - keys.length, remarks: 0 };
};

const listed = (text: string): Line[] | undefined => {
  const list: unknown = text.trimStart().startsWith('[') ? parsed(text) : undefined;
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return undefined;
  return list.flatMap((one) => linesOf(one));
};

const REMARK = /^(?:#|\/\/)/;
const REMARK_BEHIND = /(?<!\s)\s+(?:#|\/\/)(.*)/;
const QUOTED = /^(["'`])(.*)\1$/;
/** An environment variable. Its name must have an underscore, because base64 keys may end with `=`. */
const SETTING = /^(?:export\s+)?([a-z][a-z\d]*(?:_[a-z\d]+)+)\s*=\s*(\S.*)$/i;
/** In a row of account, password and key the password must not become a name, so only the first part is used. */
const ACCOUNT_ROW = /(?<!\s)\s*-{4,}\s*/;
const COLUMNS = /(?<!\s)\s*[,;\t]\s*|\s+/;
const TITLE =
  /^(?:name|label|note|remark|e-?mail|account|password|key|api[_-]?key|token|名称|备注|账号|密码|密钥)$/i;

/** The key of a line with its name; undefined for a remark. */
const keyOf = (line: string): PastedKey | 'unclear' | undefined => {
  if (REMARK.test(line)) return undefined;
  if (line.startsWith('{')) return { key: line, label: '' };
  const remark = REMARK_BEHIND.exec(line);
  const remarked = remark?.[1]?.trim();
  const content = unquoted(remark === null ? line : line.slice(0, remark.index));
  const [, setting, value = ''] = SETTING.exec(content) ?? [];
  if (setting !== undefined && isLong(unquoted(value)))
    return { key: unquoted(value), label: labelOf([remarked || setting]) };
  const isRow = ACCOUNT_ROW.test(content);
  const parts = content
    .split(isRow ? ACCOUNT_ROW : COLUMNS)
    .map(unquoted)
    .filter(Boolean);
  if (parts.length > 1 && parts.every((part) => TITLE.test(part))) return undefined;
  const key = parts.length === 1 ? parts[0] : theKey(parts);
  if (key === undefined) return 'unclear';
  const names = parts.filter((part) => part !== key);
  return { key, label: labelOf([...(isRow ? names.slice(0, 1) : names), remarked]) };
};

const unquoted = (text: string): string => {
  const bare = text.trim().replace(/[,;]$/, '').trim();
  return (QUOTED.exec(bare)?.[2] ?? bare).trim();
};

const LEAST_KEY_LENGTH = 16;
/** Addresses are no keys. */
const isLong = (text: string): boolean =>
  text.length >= LEAST_KEY_LENGTH && /^[\x21-\x7e]+$/.test(text) && !/^[^|]*@|^https?:/.test(text);
/** Words and small numbers, as in `team-frontend-production-2`. */
const WORDS = /^(?:[a-z]+|\d{1,4})(?:[-_.:](?:[a-z]+|\d{1,4}))*$/i;

/** The one part that looks like a key; undefined if none or several do. */
const theKey = (parts: readonly string[]): string | undefined => {
  const long = parts.filter(isLong);
  const random = long.filter((part) => !WORDS.test(part));
  const [key, ...others] = random.length > 0 ? random : long;
  return others.length === 0 ? key : undefined;
};

export const LABEL_MAX_LENGTH = 64;

const labelOf = (names: readonly (string | undefined)[]): string =>
  withoutEnd(names.filter(Boolean).join(' '), ':：=').slice(0, LABEL_MAX_LENGTH).trim();
