import type { Writable } from 'node:stream';

/** Resolves when a stream can be written to again, or is closed. */
export const drained = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
    if (stream.destroyed) done();
  });
