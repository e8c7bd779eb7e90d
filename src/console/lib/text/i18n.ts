import { inOneDirection } from '#contract/one-direction.ts';
import type { Area, TextKey } from './areas.ts';
import { useSyncExternalStore } from 'react';
import { signal } from '../browser/signal.ts';
import { readStored, store } from '../browser/stored.ts';

export type Language = 'zh' | 'en';

/** What fills the `{{names}}` of a text; a `count` of 1 takes the text `<key>_one` where there is one. */
export type TextValues = Readonly<Record<string, string | number | undefined>>;

/** Looks up a text of an area in the reader's language and fills in the values. */
export type Translate<In extends Area> = (key: TextKey<In>, values?: TextValues) => string;

type AnyTranslate = (key: string, values?: TextValues) => string;

interface Texts {
  readonly [key: string]: string | Texts;
}

/** One file per language and area: `locales/zh/tokens.json` is area `tokens`. */
const files = import.meta.glob<{ default: Texts }>('../../locales/*/*.json');

/**
 * The texts of an area as its readers get them. The object stays the same while the texts do, so that nothing is rendered
 * again.
 */
interface Spoken<T> {
  readonly t: T;
  readonly language: Language;
}

/** The language and its loaded texts. */
interface LoadedLanguage {
  readonly language: Language;
  /** By `language/area`. */
  readonly texts: ReadonlyMap<string, Texts>;
  readonly spoken: Map<Area, Spoken<AnyTranslate>>;
}

const LANGUAGE_KEY = 'i18nextLng';
const FALLBACK: Language = 'zh';

const nothingLoaded = (): LoadedLanguage => ({ language: FALLBACK, texts: new Map(), spoken: new Map() });

const current = signal<LoadedLanguage>(nothingLoaded());

/** Resets everything. For tests, which share modules. */
export const forgetTexts = (): void => current.set(nothingLoaded());

const textAt = (texts: Texts | undefined, key: string): string | undefined => {
  let found: string | Texts | undefined = texts;
  for (const step of key.split('.')) found = typeof found === 'object' ? found[step] : undefined;
  return typeof found === 'string' ? found : undefined;
};

const fill = (text: string, values: TextValues): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => inOneDirection(String(values[name] ?? whole)));

const makeTranslator =
  ({ language: wanted, texts }: LoadedLanguage, area: Area): AnyTranslate =>
  (key, values = {}) => {
    const find = (path: string): string | undefined =>
      textAt(texts.get(`${wanted}/${area}`), path) ?? textAt(texts.get(`${FALLBACK}/${area}`), path);
    const text = (values['count'] === 1 ? find(`${key}_one`) : undefined) ?? find(key) ?? key;
    return fill(text, values);
  };

const spokenOf = <In extends Area>(area: In): Spoken<Translate<In>> => {
  const now = current.get();
  const known = now.spoken.get(area) ?? { t: makeTranslator(now, area), language: now.language };
  now.spoken.set(area, known);
  return known;
};

/** Texts of an area in components: `const { t } = useTranslation('tokens')`; without an area those of `common`. */
export const useTranslation = <In extends Area = 'common'>(area?: In): Spoken<Translate<In>> =>
  useSyncExternalStore(current.watch, () => spokenOf((area ?? 'common') as In));

/** Texts of an area outside components, in the current language. */
export const textsOf = <In extends Area>(area: In): Translate<In> => spokenOf(area).t;

/** A text of `common` outside components. */
export const t: Translate<'common'> = (key, values) => spokenOf('common').t(key, values);

export const language = (): Language => current.get().language;

const isArea = (area: string, wanted: Language): boolean =>
  files[`../../locales/${wanted}/${area}.json`] !== undefined;

const readTexts = async (area: string, wanted: Language): Promise<readonly [string, Texts] | undefined> => {
  const name = `${wanted}/${area}`;
  const file = files[`../../locales/${name}.json`];
  return file === undefined ? undefined : [name, (await file()).default];
};

/** If the language stays the same, only readers of the loaded areas are rendered again. */
const adopt = (wanted: Language, loaded: readonly (readonly [string, Texts] | undefined)[]): void => {
  const before = current.get();
  const came = loaded.filter((one) => one !== undefined);
  const others = [...before.spoken].filter(
    ([area]) => before.language === wanted && !came.some(([name]) => name.endsWith(`/${area}`)),
  );
  current.set({
    language: wanted,
    texts: new Map([...before.texts, ...came]),
    spoken: new Map(others),
  });
};

/** Loads the texts of an area in the current language; a page is shown once they are loaded. */
export const loadTexts = async (area: Area): Promise<void> => {
  const wanted = language();
  if (current.get().texts.has(`${wanted}/${area}`) || !isArea(area, wanted)) return;
  adopt(wanted, [await readTexts(area, wanted)]);
};

/** For `lazy`: a part of a page whose texts load beside its code. */
export const withTexts =
  <Part>(area: Area, load: () => Promise<Part>): (() => Promise<Part>) =>
  async () => {
    const [part] = await Promise.all([load(), loadTexts(area)]);
    return part;
  };

/** The chosen language, else the first of the browser's languages that we have, else Chinese. */
const firstLanguage = (): Language => {
  const tags = [readStored(LANGUAGE_KEY), ...navigator.languages].map((tag) =>
    tag?.slice(0, 2).toLowerCase(),
  );
  return tags.find((tag): tag is Language => tag === 'zh' || tag === 'en') ?? FALLBACK;
};

/** Changes the language once all texts on the page are loaded, so that nothing flashes. */
export const setLanguage = async (next: Language): Promise<void> => {
  store(LANGUAGE_KEY, next);
  await speak(next);
};

const speak = async (next: Language): Promise<void> => {
  const areas = new Set([
    'common',
    ...[...current.get().texts.keys()].map((name) => name.slice(name.indexOf('/') + 1)),
  ]);
  adopt(next, await Promise.all([...areas].map((area) => readTexts(area, next))));
  document.documentElement.lang = next;
};

export const startI18n = (): Promise<void> => {
  const first = firstLanguage();
  // Set at once, so that a page that is already loading requests the right texts.
  current.set({ ...current.get(), language: first, spoken: new Map() });
  return speak(first);
};
