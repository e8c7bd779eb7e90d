import type { Clock } from '#core/clock.ts';
import type {
  ChargedSums,
  IssuedStatement,
  StatementOwner,
  StatementStore,
  SumsFilter,
} from '#core/wallet/statement-store.ts';
import { monthAfter, monthOf, monthSpan } from '#core/wallet/statement.ts';
import { refuse } from '../refuse.ts';

/** By then most calls that began before midnight have ended; the others appear as late in the next month. */
const ISSUED_AFTER_MS = 3_600_000;
/** Anything older is in the opening balance of the first statement. */
const MONTHS_MAX = 60;
const LINES_MAX = 1000;

/** A finished month (`2026-10`), and its statement once it is issued. */
export interface StatementMonth {
  readonly month: string;
  readonly issued: IssuedStatement | undefined;
}

export type Statements = ReturnType<typeof createStatements>;

/** Monthly statements. Refusals are thrown. */
export const createStatements = ({
  statements,
  clock,
  unitsPerDollar,
}: {
  readonly statements: StatementStore;
  readonly clock: Clock;
  readonly unitsPerDollar: () => number;
}) => {
  const lastFinished = (): string => monthAfter(monthOf(clock.now() - ISSUED_AFTER_MS), -1);

  /** The first month that has a statement; undefined if nothing has happened. */
  const firstMonth = async (owner: StatementOwner, first: string | undefined) => {
    if (first !== undefined) return first;
    const firstMs = await statements.firstMs(owner);
    if (firstMs === undefined) return undefined;
    const earliest = monthAfter(lastFinished(), 1 - MONTHS_MAX);
    return [monthOf(firstMs), earliest].toSorted()[1];
  };

  /** A statement covers an account, a token, or a tag. */
  const requireOne = ({ tokenId, tag }: StatementOwner): void => {
    if (tokenId !== 0 && tag !== '') throw refuse('statement_of_one');
  };

  const requireOwner = async (owner: StatementOwner): Promise<void> => {
    if (!(await statements.exists(owner))) throw refuse('statement_missing');
  };

  return {
    /** Every finished month, newest first. */
    async list(owner: StatementOwner): Promise<StatementMonth[]> {
      requireOne(owner);
      await requireOwner(owner);
      const issued = new Map((await statements.issued(owner)).map((one) => [one.statement.month, one]));
      const first = await firstMonth(owner, [...issued.keys()][0]);
      const months: StatementMonth[] = [];
      if (first === undefined) return months;
      for (let month = lastFinished(); month >= first; month = monthAfter(month, -1))
        months.push({ month, issued: issued.get(month) });
      return months;
    },

    /** The charges of a month, even one that is not over. */
    sums: (filter: Omit<SumsFilter, 'most'>): Promise<ChargedSums> =>
      statements.sums({ ...filter, most: LINES_MAX }),

    /**
     * The statement of a month. Earlier months without one are issued first, so that each begins where the one before
     * ended.
     */
    async read(owner: StatementOwner, month: string): Promise<IssuedStatement> {
      requireOne(owner);
      const found = await statements.find(owner, month);
      if (found !== undefined) return found;
      if (clock.now() < monthSpan(month).toMs + ISSUED_AFTER_MS) throw refuse('statement_not_finished');
      await requireOwner(owner);
      const last = (await statements.issued(owner)).at(-1)?.statement.month;
      const start = last === undefined ? await firstMonth(owner, undefined) : monthAfter(last);
      if (start === undefined || month < start) throw refuse('statement_missing');
      let issued: IssuedStatement | undefined;
      for (let next = start; next <= month; next = monthAfter(next))
        issued = await statements.issue(owner, next, {
          nowMs: clock.now(),
          unitsPerDollar: unitsPerDollar(),
        });
      if (issued === undefined) throw refuse('statement_missing');
      return issued;
    },
  };
};
