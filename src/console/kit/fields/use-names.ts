import { useMemo, useState } from 'react';
import { listed } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

/** What stands between names that are typed, on a Chinese keyboard too. A phone's keyboard names no key, so the text is read. */
const BETWEEN = /[,;\n，；、]/u;
/** Between names that are pasted there may also be blanks. */
const BETWEEN_PASTED = /[,;\s，；、]+/u;

interface NamesOptions {
  readonly value: readonly string[] | undefined;
  readonly onChange: (value: string[]) => void;
  /** The only names that can be taken; undefined: any. */
  readonly known: readonly string[] | undefined;
  readonly max: number | undefined;
}

/** The names of a list field, how text becomes names, and what is said about it to those who do not see the list. */
export const useNames = ({ value, onChange, known, max = Infinity }: NamesOptions) => {
  const { t } = useTranslation();
  const [said, setSaid] = useState('');
  const names = useMemo(() => [...new Set(value)], [value]);

  /** @returns what could not be taken */
  const add = (texts: readonly string[]): string[] => {
    const now = new Set(names);
    const isAllowed = known === undefined ? () => true : (name: string) => known.includes(name);
    const refused: string[] = [];
    for (const name of texts.map((text) => text.trim())) {
      if (name === '' || now.has(name)) continue;
      if (isAllowed(name) && now.size < max) now.add(name);
      else refused.push(name);
    }
    if (now.size > names.length) {
      onChange([...now]);
      setSaid(t('field.added', { names: listed([...now].slice(names.length)) }));
    }
    return refused;
  };
  /** Takes the names before the last separator, and all of a pasted list. @returns the text that is left */
  const read = (text: string): string => {
    const parts = text.split(BETWEEN);
    const last = parts.pop() ?? '';
    return parts.length === 0 ? last : [...add(parts), last].join(' ').trimStart();
  };
  const remove = (name: string): void => {
    onChange(names.filter((one) => one !== name));
    setSaid(t('field.removed', { name }));
  };
  return {
    names,
    said,
    add,
    read,
    readAll: (text: string): string => add(text.split(BETWEEN_PASTED)).join(' '),
    isList: (text: string): boolean => BETWEEN_PASTED.test(text),
    remove,
  };
};
