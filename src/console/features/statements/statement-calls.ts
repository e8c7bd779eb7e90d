import { downloadOwnProofs, downloadUserProofs } from '#contract/api/seals.ts';
import {
  downloadOwnStatement,
  downloadUserStatement,
  listOwnStatements,
  listUserStatements,
  readOwnStatement,
  readUserStatement,
} from '#contract/api/statements.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../lib/api.ts';
import { downloadFile } from '../../lib/download-file.ts';
import type { UrlState } from '../../lib/url-state.ts';

export type IssuedStatement = Data<typeof readOwnStatement>;

/** Whose statements are shown; 0 is the reader, and all of an account. */
export interface Owner {
  readonly userId: number;
  readonly tokenId: number;
}

const idOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

export const ownerOf = ({ user, token }: UrlState): Owner => ({ userId: idOf(user), tokenId: idOf(token) });

export const monthsQuery = (owner: Owner) => ({
  queryKey: ['statements', owner.userId, owner.tokenId],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { token_id: owner.tokenId };
    return owner.userId === 0
      ? call(listOwnStatements, { query }, signal)
      : call(listUserStatements, { params: { id: owner.userId }, query }, signal);
  },
});

export const statementQuery = (owner: Owner, month: string) => ({
  queryKey: ['statement', owner.userId, owner.tokenId, month],
  // It never changes.
  staleTime: Infinity,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { token_id: owner.tokenId };
    return owner.userId === 0
      ? call(readOwnStatement, { params: { month }, query }, signal)
      : call(readUserStatement, { params: { id: owner.userId, month }, query }, signal);
  },
});

/** Saves a statement as a file. Throws an ApiError whose message can be shown. */
export const saveStatement = (owner: Owner, month: string): Promise<void> => {
  const query = { token_id: owner.tokenId };
  const [endpoint, params] =
    owner.userId === 0
      ? [downloadOwnStatement, { month }]
      : [downloadUserStatement, { id: owner.userId, month }];
  const signal = new AbortController().signal;
  return downloadFile(endpoint, { params, query }, `statement-${month}.csv`, signal, () => undefined);
};

/** Saves the statement of a whole account with every receipt and its proof. Throws an ApiError whose message can be shown. */
export const saveProofs = ({ userId }: Owner, month: string): Promise<void> => {
  const [endpoint, params] =
    userId === 0 ? [downloadOwnProofs, { month }] : [downloadUserProofs, { id: userId, month }];
  const { signal } = new AbortController();
  return downloadFile(endpoint, { params }, `statement-${month}.jsonl`, signal, () => undefined);
};
