import { downloadOwnProofs, downloadUserProofs } from '#contract/api/wallet/seals.ts';
import {
  downloadOwnStatement,
  downloadUserStatement,
  listOwnStatements,
  listUserStatements,
  printOwnStatement,
  printUserStatement,
  readOwnStatement,
  readOwnSums,
  readUserStatement,
  readUserSums,
} from '#contract/api/wallet/statements.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../lib/server/api.ts';
import { downloadFile } from '../../lib/server/download-file.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';

export type IssuedStatement = Data<typeof readOwnStatement>;
export type Sums = Data<typeof readOwnSums>;

/** The owner of the statements: user 0 is the reader; an empty tag means none. */
export interface Owner {
  readonly userId: number;
  readonly tokenId: number;
  readonly tag: string;
}

const idOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

export const ownerOf = ({ user, token, tag = '' }: UrlState): Owner => {
  const tokenId = idOf(token);
  return { userId: idOf(user), tokenId, tag: tokenId === 0 ? tag : '' };
};

const queryOf = ({ tokenId, tag }: Owner) => ({ token_id: tokenId, tag });

export const monthsQuery = (owner: Owner) => ({
  queryKey: ['statements', owner],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = queryOf(owner);
    return owner.userId === 0
      ? call(listOwnStatements, { query }, signal)
      : call(listUserStatements, { params: { id: owner.userId }, query }, signal);
  },
});

export const statementQuery = (owner: Owner, month: string) => ({
  queryKey: ['statement', owner, month],
  // A statement never changes.
  staleTime: Infinity,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = queryOf(owner);
    return owner.userId === 0
      ? call(readOwnStatement, { params: { month }, query }, signal)
      : call(readUserStatement, { params: { id: owner.userId, month }, query }, signal);
  },
});

/** The charges of a month so far. */
export const sumsQuery = ({ userId }: Owner, month: string, by: 'token' | 'tag') => ({
  queryKey: ['statement-sums', userId, month, by],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { month, by };
    return userId === 0
      ? call(readOwnSums, { query }, signal)
      : call(readUserSums, { params: { id: userId }, query }, signal);
  },
});

const files = {
  csv: { own: downloadOwnStatement, ofUser: downloadUserStatement },
  pdf: { own: printOwnStatement, ofUser: printUserStatement },
} as const;

/** Saves a statement as a file. Throws an ApiError whose message can be shown. */
export const saveStatement = (owner: Owner, month: string, kind: keyof typeof files): Promise<void> => {
  const { own, ofUser } = files[kind];
  const [endpoint, params] = owner.userId === 0 ? [own, { month }] : [ofUser, { id: owner.userId, month }];
  const signal = new AbortController().signal;
  const sent = { params, query: queryOf(owner) };
  return downloadFile(endpoint, sent, `statement-${month}.${kind}`, signal, () => undefined);
};

/** Saves the statement of a whole account with every receipt and its proof. Throws an ApiError whose message can be shown. */
export const saveProofs = ({ userId }: Owner, month: string): Promise<void> => {
  const [endpoint, params] =
    userId === 0 ? [downloadOwnProofs, { month }] : [downloadUserProofs, { id: userId, month }];
  const { signal } = new AbortController();
  return downloadFile(endpoint, { params }, `statement-${month}.jsonl`, signal, () => undefined);
};
