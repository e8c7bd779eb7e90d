import { describe, expect, it } from 'vitest';
import { Downloads } from './download.ts';
import type { Download } from './handler.ts';

const log = { error: () => undefined };

/** A file without an end, that notes how far it was read and when its reading ended. */
const endless = () => {
  const seen = { pieces: 0, isEnded: false };
  const file: Download = {
    fileName: 'a.csv',
    contentType: 'text/csv',
    rows: 1,
    async *pieces() {
      try {
        for (;;) {
          seen.pieces += 1;
          yield await Promise.resolve('row');
        }
      } finally {
        seen.isEnded = true;
      }
    },
  };
  return { seen, make: () => Promise.resolve(file) };
};

describe('files that are being sent', () => {
  it('are limited to one for each user, until it ends or its caller leaves', async () => {
    const downloads = new Downloads(log);
    const { seen, make } = endless();
    const reader = (await downloads.send(1, make)).body?.getReader();
    await reader?.read();
    await expect(downloads.send(1, make)).rejects.toMatchObject({
      code: 'rate_limited',
      reason: 'download_running',
      retryAfterSeconds: 10,
    });
    await reader?.cancel();
    expect(seen).toEqual({ pieces: 1, isEnded: true });
    expect((await downloads.send(1, make)).status).toBe(200);
  });

  it('are limited to four in all, and one that fails frees its place', async () => {
    const downloads = new Downloads(log);
    const failed = () => Promise.reject(new Error('no rows'));
    await expect(downloads.send(4, failed)).rejects.toThrow('no rows');
    for (const userId of [1, 2, 3, 4]) await downloads.send(userId, endless().make);
    await expect(downloads.send(5, endless().make)).rejects.toMatchObject({ reason: 'downloads_full' });
  });

  it('free their place at their end', async () => {
    const downloads = new Downloads(log);
    const { make } = endless();
    const none = async (): Promise<Download> => ({ ...(await make()), async *pieces() {} });
    expect(await (await downloads.send(1, none)).text()).toBe('');
    expect((await downloads.send(1, none)).status).toBe(200);
  });

  it('are ended if nobody reads them', async () => {
    const downloads = new Downloads(log, 20);
    const { make } = endless();
    const reader = (await downloads.send(1, make)).body?.getReader();
    await expect(reader?.closed).rejects.toMatchObject({ code: 'client_closed' });
    expect((await downloads.send(1, make)).status).toBe(200);
  });
});
