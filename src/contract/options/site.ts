import { z } from 'zod';
import { languages } from '../messages.ts';
import { addressOption, choiceOption, contentOption, textOption } from './option.ts';

const NAME = 'Tollgate';
/** It stands in one line of pages, mails and statements; a blank one would leave a hole there. */
const siteName = z
  .string()
  .max(100)
  .transform((name) => name.trim().replaceAll(/\s+/g, ' ') || NAME);

/** What visitors see of the site itself. */
export const siteOptions = {
  Notice: contentOption(),
  SystemName: { ...textOption(NAME, 'house', 100), schema: siteName },
  /** For notices to users who chose no language, and answers to programs that request none. */
  DefaultLanguage: choiceOption('zh', 'daily', languages),
  Logo: textOption('', 'house', 2048),
  HomePageContent: contentOption(),
  About: contentOption(),
  Footer: contentOption(),
  /** The release list to check for newer versions; empty for none. */
  UpdateCheckUrl: addressOption('trust'),
};
