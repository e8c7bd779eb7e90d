import { languages } from '../messages.ts';
import { addressOption, choiceOption, contentOption, textOption } from './option.ts';

/** What visitors see of the site itself. */
export const siteOptions = {
  Notice: contentOption(),
  SystemName: textOption('Tollgate', 'house', 100),
  /** For notices to users who chose no language, and answers to programs that request none. */
  DefaultLanguage: choiceOption('zh', 'daily', languages),
  Logo: textOption('', 'house', 2048),
  HomePageContent: contentOption(),
  About: contentOption(),
  Footer: contentOption(),
  /** The release list to check for newer versions; empty for none. */
  UpdateCheckUrl: addressOption('trust'),
};
