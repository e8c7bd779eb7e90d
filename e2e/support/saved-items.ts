import type { Page } from 'playwright-core';

/** The playground's conversation as stored in this browser; undefined if nothing is stored. */
export const savedItems = (page: Page): Promise<readonly unknown[] | undefined> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opened = indexedDB.open('playground', 2);
        opened.onerror = () => reject(new Error('IndexedDB does not open'));
        opened.onsuccess = () => {
          const found = opened.result.transaction('talks').objectStore('talks').getAll();
          found.onsuccess = () => {
            opened.result.close();
            const [lanes] = found.result as { items: unknown[] }[][];
            resolve(lanes?.[0]?.items);
          };
        };
      }),
  );
