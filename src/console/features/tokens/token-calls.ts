import { deleteToken, listTokens, searchTokens, updateToken } from '#contract/api/people/tokens.ts';
import { tokenStatus } from '#contract/codes.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { changeRow } from '../../lib/server/row-cache.ts';
import { toast } from '../../lib/toasts.ts';
import { stateOf, TOKENS, type Token } from './token.ts';

export const loadTokens = (view: View, signal: AbortSignal): Promise<Page<Token>> => {
  const page = { p: view.page, page_size: view.pageSize, sort: sortText(view.sort) };
  const keyword = view.search.trim();
  const key = view.filters['key'] ?? '';
  return keyword === '' && key === ''
    ? call(listTokens, { query: page }, signal)
    : call(searchTokens, { query: { ...page, keyword, token: key } }, signal);
};

const statusOf = (to: 'on' | 'off') => (to === 'on' ? tokenStatus.enabled : tokenStatus.disabled);

export const saveStatus = (token: Token, to: 'on' | 'off'): Promise<Token> =>
  call(updateToken, {
    query: { status_only: 'true' },
    body: { id: token.id, status: statusOf(to) },
  });

/** Shows the change at once, unless the server will refuse it: then its message says why. */
export const switchToken = async (token: Token, to: 'on' | 'off'): Promise<void> => {
  const state = stateOf(token);
  if (to === 'on' && (state === 'expired' || state === 'exhausted')) {
    await saveStatus(token, to).catch((error: unknown) => toast('bad', messageOf(error)));
    return;
  }
  await changeRow<Token>(TOKENS, token.id, { status: statusOf(to) }, () => saveStatus(token, to));
};

export const removeToken = (token: Token): Promise<null> => call(deleteToken, { params: { id: token.id } });
