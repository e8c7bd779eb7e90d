import type { Page } from 'playwright-core';

/** The last message of the playground's conversation as this browser keeps it; undefined while nothing is kept. */
export const lastSaved = (page: Page): Promise<unknown> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opened = indexedDB.open('playground');
        opened.onerror = () => reject(new Error('IndexedDB does not open'));
        opened.onsuccess = () => {
          const found = opened.result.transaction('conversations').objectStore('conversations').getAll();
          found.onsuccess = () => {
            opened.result.close();
            resolve((found.result as unknown[][])[0]?.at(-1));
          };
        };
      }),
  );
