import { asAppError } from '#core/error.ts';
import type { Log } from '#core/logging.ts';
import type { Download } from './handler.ts';

/** The header that says how many rows a file will have. */
const ROWS_HEADER = 'X-Total-Rows';

/**
 * Sends a file piece by piece: the next is made when the last one is on its way. If it fails in the middle, the connection
 * breaks, so that nobody takes a part for the whole.
 */
export const sendDownload = (file: Download, log: Log): Response => {
  const pieces = file.pieces();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await pieces.next();
          if (done !== true) return controller.enqueue(encoder.encode(value));
          controller.close();
        } catch (thrown) {
          log.error('a file broke off', { error: asAppError(thrown).cause ?? thrown });
          controller.error(thrown);
        }
      },
      cancel: async () => {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'Content-Type': file.contentType,
      'Content-Disposition': `attachment; filename="${file.fileName}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      [ROWS_HEADER]: String(file.rows),
    },
  });
};
