import type { HighlightAnswer, HighlightRequest } from './highlight-worker.ts';

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (html: string | undefined) => void>();

const startWorker = (): Worker => {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', (event: MessageEvent<HighlightAnswer>) => {
    waiting.get(event.data.id)?.(event.data.html);
    waiting.delete(event.data.id);
  });
  return started;
};

/** Code as coloured HTML with both themes as CSS variables; undefined where its language is not known. */
export const highlight = (code: string, language: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    worker ??= startWorker();
    const id = ++lastId;
    waiting.set(id, resolve);
    worker.postMessage({ id, code, language } satisfies HighlightRequest);
  });
