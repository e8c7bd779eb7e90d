import type * as contract from '#contract/api/wallet/statements.ts';
import type { Language } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import type { User } from '#core/user/user.ts';
import type { ChargedSums, StatementOwner } from '#core/wallet/statement-store.ts';
import type { UserManagement } from '../../../control/people/user-management.ts';
import type { StatementMonth, Statements } from '../../../control/wallet/statements.ts';
import type { Handlers } from '../../handler.ts';
import { statementFile } from './statement-csv.ts';
import { statementPaper } from './statement-pdf.ts';

interface StatementDeps {
  readonly statements: Statements;
  readonly userManagement: Pick<UserManagement, 'read'>;
  readonly options: () => Pick<OptionValues, 'SystemName' | 'QuotaPerUnit'>;
}

interface Part {
  readonly token_id: number;
  readonly tag: string;
}

const partOf = (userId: number, { token_id: tokenId, tag }: Part): StatementOwner => ({
  userId,
  tokenId,
  tag,
});

const sumsWire = (month: string, { lines, totalUnits, totalCalls }: ChargedSums) => ({
  month,
  lines: lines.map((line) => ({
    user_id: line.userId,
    token_id: line.tokenId,
    name: line.name,
    calls: line.calls,
    prompt_tokens: line.promptTokens,
    completion_tokens: line.completionTokens,
    units: line.units,
  })),
  total_units: totalUnits,
  total_calls: totalCalls,
});

const monthWire = ({ month, issued }: StatementMonth) => ({
  month,
  issued_at: issued?.statement.issued_at ?? null,
  sha256: issued?.sha256 ?? '',
  charged_units: issued === undefined ? null : issued.statement.charged_units + issued.statement.late_units,
  closing_units: issued?.statement.closing_units ?? null,
});

/** Monthly statements: one's own, and for admins those of users of lower rank. */
export const statementHandlers = ({
  statements,
  userManagement,
  options,
}: StatementDeps): Handlers<typeof contract> => {
  const ownerOf = async (actor: User, userId: number, part: Part): Promise<StatementOwner> => {
    await userManagement.read(actor, userId);
    return partOf(userId, part);
  };
  const readerOf = (language: Language) => ({
    language,
    siteName: options().SystemName,
    quotaPerUnit: options().QuotaPerUnit,
  });
  const own = (actor: User, part: Part): StatementOwner => partOf(actor.id, part);
  return {
    listOwnStatements: async ({ query }, { actor }) =>
      (await statements.list(own(actor.user, query))).map(monthWire),
    readOwnStatement: ({ params, query }, { actor }) => statements.read(own(actor.user, query), params.month),
    downloadOwnStatement: async ({ params, query }, { actor }) =>
      statementFile(await statements.read(own(actor.user, query), params.month)),
    listUserStatements: async ({ params, query }, { actor }) =>
      (await statements.list(await ownerOf(actor.user, params.id, query))).map(monthWire),
    readUserStatement: async ({ params, query }, { actor }) =>
      statements.read(await ownerOf(actor.user, params.id, query), params.month),
    downloadUserStatement: async ({ params, query }, { actor }) =>
      statementFile(await statements.read(await ownerOf(actor.user, params.id, query), params.month)),
    printOwnStatement: async ({ params, query }, { actor, language }) =>
      statementPaper(await statements.read(own(actor.user, query), params.month), readerOf(language)),
    printUserStatement: async ({ params, query }, { actor, language }) =>
      statementPaper(
        await statements.read(await ownerOf(actor.user, params.id, query), params.month),
        readerOf(language),
      ),
    readOwnSums: async ({ query }, { actor }) =>
      sumsWire(query.month, await statements.sums({ ...query, userId: actor.user.id })),
    readUserSums: async ({ params, query }, { actor }) => {
      const { id: userId } = await userManagement.read(actor.user, params.id);
      return sumsWire(query.month, await statements.sums({ ...query, userId }));
    },
    readSums: async ({ query }) => sumsWire(query.month, await statements.sums(query)),
  };
};
