import {
  deleteInvalidRedemptions,
  deleteRedemption,
  listRedemptions,
  searchRedemptions,
  updateRedemption,
} from '#contract/api/wallet/redemptions.ts';
import { redemptionStatus } from '#contract/codes.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import { call } from '../../lib/server/api.ts';
import type { Code } from './code.ts';

export const loadCodes = (view: View, signal: AbortSignal): Promise<Page<Code>> => {
  const page = { p: view.page, page_size: view.pageSize, sort: sortText(view.sort) };
  const keyword = view.search.trim();
  return keyword === ''
    ? call(listRedemptions, { query: page }, signal)
    : call(searchRedemptions, { query: { ...page, keyword } }, signal);
};

export const saveStatus = (code: Code, to: 'on' | 'off'): Promise<Code> =>
  call(updateRedemption, {
    query: { status_only: 'true' },
    body: { id: code.id, status: to === 'on' ? redemptionStatus.unused : redemptionStatus.disabled },
  });

export const removeCode = (code: Code): Promise<null> => call(deleteRedemption, { params: { id: code.id } });

/** How many codes `removeInvalid` would delete. */
export const countInvalid = async (): Promise<number> =>
  (await call(listRedemptions, { query: { invalid: 'true', page_size: 1 } })).total;

export const removeInvalid = (): Promise<number> => call(deleteInvalidRedemptions);
