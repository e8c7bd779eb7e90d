import { isFixedHeader } from '#contract/channel/channel-overrides.ts';
import { fits, replaced } from '#contract/glob.ts';
import { headerText, type Override, type OverrideSubject } from './override.ts';

type Headers = Readonly<Record<string, string>>;

const VALUE_MAX_LENGTH = 8192;
/** The most header names of a caller that one pattern passes on. */
const PASSED_MAX = 50;
/** Callers' headers are not checked when a rule is saved, so their values are checked here. */
const SAFE_VALUE = /^[\t\x20-\x7e]{1,8192}$/;

/** The headers after the rules that apply. Connection headers and credentials stay as they are. */
export const overriddenHeaders = (
  headers: Headers,
  overrides: readonly Override[],
  caller: OverrideSubject['headers'],
): Headers => {
  let sent = headers;
  for (const override of overrides) if (override.on === 'header') sent = after(sent, override, caller);
  return sent;
};

const after = (headers: Headers, override: Override, caller: OverrideSubject['headers']): Headers => {
  const { op, path, value, find } = override;
  const [name = ''] = path;
  const text = typeof value === 'string' ? value : '';
  const before = headers[name];
  switch (op) {
    case 'set':
      return { ...headers, [name]: text };
    case 'delete':
      return without(headers, name);
    case 'append':
      return { ...headers, [name]: before === undefined || before === '' ? text : `${before}, ${text}` };
    case 'replace': {
      if (before === undefined) return headers;
      const changed = replaced(find, before, text, VALUE_MAX_LENGTH);
      if (changed === undefined || changed === before) return headers;
      const tidied = tidyList(changed);
      return tidied === '' ? without(headers, name) : { ...headers, [name]: tidied };
    }
    case 'pass':
      return { ...headers, ...passed(override, caller) };
  }
};

const without = (headers: Headers, gone: string): Headers => {
  if (headers[gone] === undefined) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== gone));
};

/** Removes the empty items that deleted words leave in a list. */
const tidyList = (text: string): string =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .join(', ');

const passed = ({ find }: Override, caller: OverrideSubject['headers']): Headers => {
  const found: Record<string, string> = {};
  let count = 0;
  const names = find.length === 1 ? find : Object.keys(caller);
  for (const name of names) {
    const text = headerText(caller[name]);
    if (text === undefined || !SAFE_VALUE.test(text) || isFixedHeader(name) || !fits(find, name)) continue;
    if (count === PASSED_MAX) break;
    count += 1;
    found[name] = text;
  }
  return found;
};
