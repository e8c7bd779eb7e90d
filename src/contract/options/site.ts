import { addressOption, contentOption, textOption } from './option.ts';

/** What visitors see of the site itself. */
export const siteOptions = {
  Notice: contentOption('site'),
  SystemName: textOption('Tollgate', 'site', 100),
  Logo: textOption('', 'site', 2048),
  HomePageContent: contentOption('site'),
  About: contentOption('site'),
  Footer: contentOption('site'),
  /** Where a release list is read to see whether there is a newer version; empty for nowhere. */
  UpdateCheckUrl: addressOption('site'),
};
