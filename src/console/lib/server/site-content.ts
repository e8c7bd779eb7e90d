import { readAbout, readHomePage, readNotice } from '#contract/api/site/contents.ts';
import { useEffect, useState } from 'react';
import { call } from './api.ts';
import { signal, useSignal } from '../browser/signal.ts';
import { readStored, store } from '../browser/stored.ts';

const endpoints = { home_page_content: readHomePage, about: readAbout } as const;

/**
 * The operator's home or about page; '' for the built-in one; undefined while unknown. The last known content is shown
 * at once and then reloaded; if that fails, it stays.
 */
export const useSiteContent = (which: keyof typeof endpoints): string | undefined => {
  const [text, setText] = useState(() => readStored(which));
  useEffect(() => {
    const gone = new AbortController();
    call(endpoints[which], {}, gone.signal)
      .then((content) => {
        store(which, content);
        setText(content);
      })
      .catch(() => !gone.signal.aborted && setText((before) => before ?? ''));
    return () => gone.abort();
  }, [which]);
  return text;
};

const SEEN_KEY = 'notice';

interface SiteNotice {
  readonly text: string;
  readonly isSeen: boolean;
}

const notice = signal<SiteNotice>({ text: '', isSeen: true });

/** The site's notice, and whether this browser has already shown it. */
export const useSiteNotice = (): SiteNotice => useSignal(notice);

export const loadNotice = async (): Promise<void> => {
  const text = await call(readNotice);
  notice.set({ text, isSeen: text === '' || readStored(SEEN_KEY) === text });
};

export const markNoticeSeen = (): void => {
  const { text } = notice.get();
  store(SEEN_KEY, text);
  notice.set({ text, isSeen: true });
};
