import { EPAY_NOTIFY_PATH } from '#contract/limits.ts';
import type { Context, Hono } from 'hono';
import { atMost } from './read-input.ts';
import type { ApiEnv } from './serve.ts';

/** A notice has about a dozen short fields. */
const BODY_MAX_BYTES = 16 * 1024;

/**
 * Receives the payment gateway's notice of a paid order, by GET or posted form. The signature authenticates it. The
 * answer is a word and not an envelope: after `success` the gateway stops, after anything else it sends the notice
 * again.
 */
export const mountEpayNotice = (
  app: Hono<ApiEnv>,
  notified: (fields: Readonly<Record<string, string>>) => Promise<boolean>,
): void => {
  app.on(['GET', 'POST'], [EPAY_NOTIFY_PATH, `${EPAY_NOTIFY_PATH}/`], async (context) => {
    // If the database is unavailable, the gateway must send the notice again, too.
    const isCredited = await readFields(context)
      .then(notified)
      .catch(() => false);
    return new Response(isCredited ? 'success' : 'fail', {
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    });
  });
};

const readFields = async (context: Context<ApiEnv>): Promise<Record<string, string>> => {
  const { raw } = context.req;
  const query = new URL(raw.url).searchParams;
  if (raw.method === 'GET') return Object.fromEntries(query);
  // Not every gateway sends a length.
  const pieces: Uint8Array[] = [];
  for await (const piece of atMost(raw.body ?? [], BODY_MAX_BYTES)) pieces.push(piece);
  return Object.fromEntries([...query, ...new URLSearchParams(Buffer.concat(pieces).toString())]);
};
