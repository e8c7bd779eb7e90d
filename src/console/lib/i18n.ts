import i18next, { type TFunction } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readStored, store } from './stored.ts';

export type Language = 'zh' | 'en';

/** One file per language and area: `locales/zh/tokens.json` is area `tokens`. */
const files = import.meta.glob<{ default: Record<string, unknown> }>('../locales/*/*.json');

const LANGUAGE_KEY = 'i18nextLng';

/** What was chosen, else the first of the browser's languages that we speak, else Chinese. */
const firstLanguage = (): Language => {
  const spoken = [readStored(LANGUAGE_KEY), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  return spoken.find((tag): tag is Language => tag === 'zh' || tag === 'en') ?? 'zh';
};

/** Loads the texts of an area in the current language; a page is shown when its area is there. */
export const loadTexts = async (area: string, wanted: Language = language()): Promise<void> => {
  if (i18next.hasResourceBundle(wanted, area)) return;
  const file = files[`../locales/${wanted}/${area}.json`];
  if (file === undefined) return;
  i18next.addResourceBundle(wanted, area, (await file()).default);
};

export const startI18n = async (): Promise<void> => {
  const lng = firstLanguage();
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'zh',
    ns: ['common'],
    defaultNS: 'common',
    resources: {},
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
    partialBundledLanguages: true,
  });
  await loadTexts('common', lng);
  document.documentElement.lang = lng;
};

export const language = (): Language => (i18next.language === 'en' ? 'en' : 'zh');

/** Changes the language once every area on the page has its texts, so that nothing flashes. */
export const setLanguage = async (next: Language): Promise<void> => {
  const areas = Object.keys(i18next.getDataByLanguage(language()) ?? { common: {} });
  await Promise.all(areas.map((area) => loadTexts(area, next)));
  store(LANGUAGE_KEY, next);
  document.documentElement.lang = next;
  await i18next.changeLanguage(next);
};

/** A text of the `common` area outside components. Inside them use `useTranslation(area)` of react-i18next. */
export const t: TFunction<'common'> = i18next.t;
