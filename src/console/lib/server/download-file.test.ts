import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { downloadFile } from './download-file.ts';

afterEach(() => void vi.unstubAllGlobals());

const download = (signal = new AbortController().signal): Promise<void> =>
  downloadFile({ path: '/api/log/export' }, {}, 'logs.csv', signal, () => undefined);

it("a server that fails before or during a file is reported in our words, not the browser's", async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(download()).rejects.toEqual(new ApiError('error.unreachable', 0));
  const breaksOff = new ReadableStream({
    pull: (controller) => controller.error(new TypeError('network error')),
  });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(breaksOff)));
  await expect(download()).rejects.toEqual(new ApiError('error.unreachable', 0));
});
