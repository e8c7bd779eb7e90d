import 'i18next';
import type channels from '../locales/zh/channels.json';
import type common from '../locales/zh/common.json';
import type front from '../locales/zh/front.json';
import type logs from '../locales/zh/logs.json';
import type playground from '../locales/zh/playground.json';
import type tokens from '../locales/zh/tokens.json';

/** Text keys are checked against the Chinese files: a key that is not there does not compile. One line per area. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      common: typeof common;
      front: typeof front;
      channels: typeof channels;
      tokens: typeof tokens;
      logs: typeof logs;
      playground: typeof playground;
    };
  }
}
