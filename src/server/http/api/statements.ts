import type * as contract from '#contract/api/statements.ts';
import type { User } from '#core/user/user.ts';
import type { StatementOwner } from '#core/wallet/statement-store.ts';
import type { UserManagement } from '../../control/people/user-management.ts';
import type { StatementMonth, Statements } from '../../control/wallet/statements.ts';
import type { Handlers } from '../handler.ts';
import { statementFile } from './statement-csv.ts';

interface StatementDeps {
  readonly statements: Statements;
  readonly userManagement: Pick<UserManagement, 'read'>;
}

const monthWire = ({ month, issued }: StatementMonth) => ({
  month,
  issued_at: issued?.statement.issued_at ?? null,
  sha256: issued?.sha256 ?? '',
  charged_units: issued === undefined ? null : issued.statement.charged_units + issued.statement.late_units,
  closing_units: issued?.statement.closing_units ?? null,
});

/** Monthly statements: one's own, and for admins those of users of a lower rank. */
export const statementHandlers = ({
  statements,
  userManagement,
}: StatementDeps): Handlers<typeof contract> => {
  const ownerOf = async (actor: User, userId: number, tokenId: number): Promise<StatementOwner> => {
    await userManagement.read(actor, userId);
    return { userId, tokenId };
  };
  const own = (actor: User, tokenId: number): StatementOwner => ({ userId: actor.id, tokenId });
  return {
    listOwnStatements: async ({ query }, { actor }) =>
      (await statements.list(own(actor.user, query.token_id))).map(monthWire),
    readOwnStatement: ({ params, query }, { actor }) =>
      statements.read(own(actor.user, query.token_id), params.month),
    downloadOwnStatement: async ({ params, query }, { actor }) =>
      statementFile(await statements.read(own(actor.user, query.token_id), params.month)),
    listUserStatements: async ({ params, query }, { actor }) =>
      (await statements.list(await ownerOf(actor.user, params.id, query.token_id))).map(monthWire),
    readUserStatement: async ({ params, query }, { actor }) =>
      statements.read(await ownerOf(actor.user, params.id, query.token_id), params.month),
    downloadUserStatement: async ({ params, query }, { actor }) =>
      statementFile(
        await statements.read(await ownerOf(actor.user, params.id, query.token_id), params.month),
      ),
  };
};
