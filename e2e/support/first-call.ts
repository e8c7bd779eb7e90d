import { makeChannel, makeToken, type Operator } from './operator.ts';

/** Puts one of each on a fresh site: a channel to the upstream, a token, and a call with it. */
export const makeFirstCall = async (
  { url, operator }: { readonly url: string; readonly operator: Operator },
  upstream: { readonly url: string },
): Promise<void> => {
  await makeChannel(operator, { name: 'north', baseUrl: upstream.url, models: ['gpt-4o-mini'] });
  const { key } = await makeToken(operator, { name: 'notebook', unlimited_quota: true });
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
};
