import { languages } from '../messages.ts';
import { addressOption, choiceOption, contentOption, textOption } from './option.ts';

/** What visitors see of the site itself. */
export const siteOptions = {
  Notice: contentOption('site'),
  SystemName: textOption('Tollgate', 'site', 100),
  /** Of notices to people who chose none, and of answers to programs that ask for none. */
  DefaultLanguage: choiceOption('zh', 'site', languages),
  Logo: textOption('', 'site', 2048),
  HomePageContent: contentOption('site'),
  About: contentOption('site'),
  Footer: contentOption('site'),
  /** Where a release list is read to see whether there is a newer version; empty for nowhere. */
  UpdateCheckUrl: addressOption('site'),
};
