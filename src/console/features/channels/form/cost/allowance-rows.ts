import type { Fields } from '#contract/json-text.ts';
import type { Channel } from '../../channel.ts';
import { objectOf } from '../setting-fields.ts';

/** In the form the free allowances are rows below the costs; stored, they are `allowances` in the costs. */

/** What can be given away each day. */
export const ALLOWANCE_UNITS = ['tokens', 'calls', 'dollars'] as const;
/** Whose an allowance is; that of the channel is stored as nothing. */
export const ALLOWANCE_OWNERS = ['channel', 'key', 'name'] as const;

export interface AllowanceRow {
  readonly name: string;
  readonly models: readonly string[];
  readonly of: (typeof ALLOWANCE_UNITS)[number];
  readonly amount: number | undefined;
  /** Empty: UTC. */
  readonly zone: string;
  readonly by: (typeof ALLOWANCE_OWNERS)[number];
}

export const emptyAllowance: AllowanceRow = {
  name: '',
  models: [],
  of: 'tokens',
  amount: undefined,
  zone: '',
  by: 'channel',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const readAllowances = (stored: unknown): readonly AllowanceRow[] =>
  (Array.isArray(stored) ? stored : []).map((one: unknown) => {
    const { name, models, of, amount, zone, by } = objectOf(one) ?? {};
    return {
      name: textOf(name),
      models: Array.isArray(models) ? models.map(textOf) : [],
      of: ALLOWANCE_UNITS.find((unit) => unit === of) ?? 'tokens',
      amount: typeof amount === 'number' ? amount : undefined,
      zone: textOf(zone),
      by: ALLOWANCE_OWNERS.find((owner) => owner === by) ?? 'channel',
    };
  });

const isEmpty = ({ name, models, amount }: AllowanceRow): boolean =>
  name.trim() === '' && models.length === 0 && amount === undefined;

/** What is wrong with a row, by field: its place in `allowance.wrong` of the texts. */
export interface AllowanceProblems {
  readonly name?: 'name' | 'taken';
  readonly models?: 'models';
  readonly amount?: 'amount' | 'dollars';
}

/** What the server would refuse of each row; nothing of rows in which nothing is entered, which are not stored. */
export const allowanceProblems = (rows: readonly AllowanceRow[]): readonly AllowanceProblems[] =>
  rows.map((row, at) => {
    if (isEmpty(row)) return {};
    const { models, of, amount = 0 } = row;
    const name = row.name.trim();
    const isTaken = rows.slice(0, at).some((other) => other.name.trim() === name);
    const isAmount = of === 'dollars' ? amount >= 0.01 : amount >= 1 && Number.isInteger(amount);
    return {
      ...(name === '' ? { name: 'name' } : isTaken && { name: 'taken' }),
      ...(models.length === 0 && { models: 'models' }),
      ...(!isAmount && { amount: of === 'dollars' ? 'dollars' : 'amount' }),
    };
  });

export const hasProblems = (problems: AllowanceProblems): boolean => Object.keys(problems).length > 0;

/** The rows as they are stored, without empty ones. What is missing in the others is refused when they are saved. */
export const allowanceFields = (rows: readonly AllowanceRow[]): Fields => {
  const allowances = rows
    .filter((row) => !isEmpty(row))
    .map(({ name, models, of, amount, zone, by }) => ({
      name: name.trim(),
      models,
      of,
      ...(amount !== undefined && { amount }),
      ...(zone !== '' && { zone }),
      ...(by !== 'channel' && { by }),
    }));
  return allowances.length === 0 ? {} : { allowances };
};

export type FreeToday = NonNullable<Channel['free_today']>;

/** What was given today of an allowance that is saved; undefined for a new one. */
export const givenToday = (
  { name, of }: AllowanceRow,
  today: FreeToday | undefined,
): FreeToday[number] | undefined => today?.find((one) => one.name === name.trim() && one.of === of);
