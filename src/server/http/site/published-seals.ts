import { sendJson } from '../door/send-json.ts';
import type { Handler } from '../door/front-door-deps.ts';

/** The public address of seals and keys; `?page=1` continues where a page ends. */

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=10',
  // Other sites may show them.
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

const refused = (message: string) => ({ success: false, message, data: null });

/** Answers with a page of the published seals. */
export const publishedSeals =
  (published: (page: number) => Promise<string>): Handler =>
  async ({ method, url = '' }, response) => {
    if (method !== 'GET' && method !== 'HEAD') {
      sendJson(response, 405, refused('only GET'), { Allow: 'GET, HEAD' });
      return;
    }
    const page = new URLSearchParams(url.split('?')[1] ?? '').get('page') ?? '0';
    if (!/^\d{1,6}$/.test(page)) {
      sendJson(response, 400, refused('page: a number from 0 on'));
      return;
    }
    const text = await published(Number(page)).catch(() => undefined);
    if (text === undefined) {
      sendJson(response, 503, refused('the database does not answer'));
      return;
    }
    response
      .writeHead(200, { ...HEADERS, 'Content-Length': Buffer.byteLength(text) })
      .end(method === 'HEAD' ? undefined : text);
  };
