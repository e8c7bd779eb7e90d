import { languages } from '../messages.ts';
import { addressOption, choiceOption, contentOption, textOption } from './option.ts';

/** What visitors see of the site itself. */
export const siteOptions = {
  Notice: contentOption(),
  SystemName: textOption('Tollgate', 'house', 100),
  /** Of notices to people who chose none, and of answers to programs that ask for none. */
  DefaultLanguage: choiceOption('zh', 'daily', languages),
  Logo: textOption('', 'house', 2048),
  HomePageContent: contentOption(),
  About: contentOption(),
  Footer: contentOption(),
  /** Where a release list is read to see whether there is a newer version; empty for nowhere. */
  UpdateCheckUrl: addressOption('trust'),
};
