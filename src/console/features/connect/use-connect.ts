import { useQuery } from '@tanstack/react-query';
import { readPricing } from '#contract/api/wallet/pricing.ts';
import { listTokens, readToken } from '#contract/api/people/tokens.ts';
import { tokenStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { wordsOf } from './test-call.ts';

export type Token = Data<typeof listTokens>['items'][number];

/** The key as programs send it. */
export const keyOf = (token: Token): string => (token.key.startsWith('sk-') ? token.key : `sk-${token.key}`);

/**
 * The user's usable tokens whose keys can be shown: the newest, and the one that the address asks for, in whose place another
 * would give away the wrong key.
 */
export const useTokens = (wanted: string | undefined) =>
  useQuery({
    queryKey: ['connect'],
    queryFn: async ({ signal }) => {
      const { items } = await call(listTokens, { query: { p: 0, page_size: 100 } }, signal);
      const isFar = /^\d{1,15}$/.test(wanted ?? '') && items.every(({ id }) => String(id) !== wanted);
      const far = isFar
        ? await call(readToken, { params: { id: Number(wanted) } }, signal).catch(() => undefined)
        : undefined;
      return [...(far === undefined ? [] : [far]), ...items].filter(
        ({ status, key }) => status === tokenStatus.enabled && key !== '',
      );
    },
  });

/** The models' prices for the user, and their context windows. */
export const usePrices = () =>
  useQuery({
    queryKey: ['connect', 'prices'],
    staleTime: 60_000,
    queryFn: ({ signal }) => call(readPricing, {}, signal),
  });

/** The models this token may use, fetched with the token itself. */
export const useModelsOf = (token: Token) =>
  useQuery({
    queryKey: ['connect', 'models', token.id],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const response = await fetch('/v1/models', {
        credentials: 'omit',
        headers: { Authorization: `Bearer ${keyOf(token)}` },
        signal,
      });
      const body: unknown = await response.json();
      if (!response.ok) throw new Error(wordsOf(body) || t('error.http', { status: response.status }));
      return (body as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id);
    },
  });
