import type { Context, Hono } from 'hono';
import type { ApiEnv } from './serve.ts';

const PATH = '/api/user/epay/notify';
/** A notice is a dozen short fields. */
const BODY_MAX_BYTES = 16 * 1024;

/**
 * Where the payment gateway tells that an order was paid, by GET or by a posted form. Its signature is the access
 * check; the answer is a word, not an envelope: `success` makes it stop telling, anything else makes it tell again.
 */
export const mountEpayNotice = (
  app: Hono<ApiEnv>,
  notified: (fields: Readonly<Record<string, string>>) => Promise<boolean>,
): void => {
  app.on(['GET', 'POST'], [PATH, `${PATH}/`], async (context) => {
    // A database that is away makes it tell again, too.
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
  const bytes = Number(raw.headers.get('content-length') ?? Infinity);
  if (bytes > BODY_MAX_BYTES) return {};
  return Object.fromEntries([...query, ...new URLSearchParams(await raw.text())]);
};
