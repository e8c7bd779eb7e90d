import type { CustomFetch } from 'openid-client';
import type { Sender } from '#core/outbound/outbound.ts';

const ANSWER_MAX_BYTES = 1024 * 1024;

/**
 * The library's `fetch`, sent through our sender: the outbound guard checks addresses, and redirects are not followed.
 */
export const guardedFetch =
  (sender: Pick<Sender, 'send'>): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const reply = await sender.send(
      {
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers: { ...Object.fromEntries(new Headers(headers).entries()), 'user-agent': 'tollgate' },
        ...(body === undefined || body === null ? {} : { body: await new Response(body).text() }),
      },
      signal ?? undefined,
    );
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of reply.body) {
      bytes += chunk.length;
      if (bytes > ANSWER_MAX_BYTES) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    const answered = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
      if (value !== undefined) answered.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    const hasBody = reply.status !== 204 && reply.status !== 304;
    return new Response(hasBody ? Buffer.concat(chunks) : null, { status: reply.status, headers: answered });
  };

/**
 * Takes an id token out of what a service answers. Some add one that nobody has asked for; the library would compare it with an
 * issuer that nobody has told us.
 */
export const withoutIdToken =
  (fetch: CustomFetch): CustomFetch =>
  async (url, options) => {
    const reply = await fetch(url, options);
    const body: unknown = await reply
      .clone()
      .json()
      .catch(() => undefined);
    if (typeof body !== 'object' || body === null || !('id_token' in body)) return reply;
    const { id_token: _idToken, ...rest } = body;
    return Response.json(rest, { status: reply.status });
  };
