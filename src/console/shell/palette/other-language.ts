import { language } from '../../lib/text/i18n.ts';

interface Texts {
  readonly [key: string]: string | Texts;
}

const files = import.meta.glob<{ default: Texts }>('../../locales/*/{common,settings,palette}.json');

/** Looks up a text in the other language; empty if there is none. */
export interface OtherWords {
  readonly common: (key: string) => string;
  readonly settings: (key: string) => string;
  readonly palette: (key: string) => string;
}

const nothing = (): string => '';
export const NO_WORDS: OtherWords = { common: nothing, settings: nothing, palette: nothing };

const lookUp =
  (texts: Texts | undefined) =>
  (key: string): string => {
    let found: string | Texts | undefined = texts;
    for (const step of key.split('.')) found = typeof found === 'object' ? found[step] : undefined;
    return typeof found === 'string' ? found : '';
  };

/** Loads the texts of the other language, because people search in either. */
export const readOtherWords = async (): Promise<OtherWords> => {
  const other = language() === 'en' ? 'zh' : 'en';
  const read = async (area: string) =>
    lookUp((await files[`../../locales/${other}/${area}.json`]?.())?.default);
  const [common, settings, palette] = await Promise.all([read('common'), read('settings'), read('palette')]);
  return { common, settings, palette };
};
