import type { Statement } from '#contract/api/wallet/statements.ts';

/** A statement names this many tokens; the others share one line. */
export const TOKENS_NAMED = 1000;

/** The bounds of a month in UTC; the end is the beginning of the next month. */
export interface MonthSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The bounds of a month.
 * @param month such as `2026-10`
 */
export const monthSpan = (month: string): MonthSpan => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { fromMs: Date.UTC(year, number - 1, 1), toMs: Date.UTC(year, number, 1) };
};

/** The UTC month of a time: `2026-10`. */
export const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);

/** The month `count` months after another. */
export const monthAfter = (month: string, count = 1): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, number - 1 + count, 1));
};

/** The sums of one token's calls to one model. */
export interface UsedSum {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly model: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly units: number;
}

/** The ledger's figures for an account, a token or a tag, all read at one moment. */
export interface LedgerMonth {
  readonly month: string;
  readonly userId: number;
  /** 0 for the whole account or a tag. */
  readonly tokenId: number;
  readonly tag: string;
  readonly name: string;
  readonly nowMs: number;
  readonly unitsPerDollar: number;
  /** The statement of the month before, if one was issued. */
  readonly prior: Statement | undefined;
  readonly used: readonly UsedSum[];
  /** What the hourly sums of the month before are now. */
  readonly usedBefore: readonly UsedSum[];
  readonly movements: Statement['movements'];
  /** All movements up to the end of the month; below, up to its beginning. */
  readonly movedUnits: number;
  readonly movedBeforeUnits: number;
  /** All charges up to the end of the month; below, up to its beginning. */
  readonly chargedUnits: number;
  readonly chargedBeforeUnits: number;
}

type ModelLine = Statement['models'][number];
type TokenLine = Statement['tokens'][number];
type Counts = Omit<ModelLine, 'model'>;

const countsOf = ({ calls, promptTokens, completionTokens, units }: UsedSum): Counts => ({
  calls,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  units,
});

const sumOf = (one: Counts, other: Counts): Counts => ({
  calls: one.calls + other.calls,
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
  units: one.units + other.units,
});

const totalOf = (lines: readonly { readonly units: number }[]): number =>
  lines.reduce((sum, { units }) => sum + units, 0);

const dearestFirst = <Line extends { readonly units: number }>(lines: readonly Line[]): Line[] =>
  lines.toSorted((one, other) => other.units - one.units);

const byModel = (sums: readonly UsedSum[]): ModelLine[] => {
  const lines = new Map<string, ModelLine>();
  for (const sum of sums) {
    const counts = countsOf(sum);
    const before = lines.get(sum.model);
    lines.set(sum.model, { model: sum.model, ...(before === undefined ? counts : sumOf(before, counts)) });
  }
  return dearestFirst([...lines.values()]);
};

const byToken = (sums: readonly UsedSum[]): TokenLine[] => {
  const lines = new Map<number, TokenLine>();
  const add = (token_id: number, name: string, counts: Counts): void => {
    const before = lines.get(token_id);
    lines.set(token_id, { token_id, name, ...(before === undefined ? counts : sumOf(before, counts)) });
  };
  for (const sum of sums) add(sum.tokenId, sum.tokenName, countsOf(sum));
  for (const { token_id, name: _, ...counts } of dearestFirst([...lines.values()]).slice(TOKENS_NAMED)) {
    if (token_id === 0) continue;
    lines.delete(token_id);
    add(0, '', counts);
  }
  return dearestFirst([...lines.values()]);
};

/** Charges of the month before that were written after its statement was issued. */
const lateLines = (now: readonly ModelLine[], issued: readonly ModelLine[]): ModelLine[] => {
  const before = new Map(issued.map((line) => [line.model, line]));
  const added = now.map((line): ModelLine => {
    const { calls = 0, prompt_tokens = 0, completion_tokens = 0, units = 0 } = before.get(line.model) ?? {};
    return {
      model: line.model,
      calls: line.calls - calls,
      prompt_tokens: line.prompt_tokens - prompt_tokens,
      completion_tokens: line.completion_tokens - completion_tokens,
      units: line.units - units,
    };
  });
  return added.filter(({ calls, units }) => calls !== 0 || units !== 0);
};

/**
 * Makes a statement from the ledger's figures. It begins where the one before ended. Charges written since to earlier
 * months are listed as late, so that statements add up without any being changed.
 */
export const makeStatement = (ledger: LedgerMonth): Statement => {
  const { prior, tokenId, tag } = ledger;
  const models = byModel(ledger.used);
  const charged = totalOf(models);
  const chargedBefore = prior?.charged_after_units ?? ledger.chargedBeforeUnits;
  const late = prior === undefined ? [] : lateLines(byModel(ledger.usedBefore), prior.models);
  const alreadyLate = totalOf(late);
  const lateUnits = ledger.chargedUnits - chargedBefore - charged;
  if (lateUnits !== alreadyLate)
    // Charges of still earlier months: the amount is known, the model is not.
    late.push({
      model: '',
      calls: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      units: lateUnits - alreadyLate,
    });
  const closedBefore = prior?.closing_units ?? undefined;
  const movedBefore = closedBefore === undefined ? ledger.movedBeforeUnits : closedBefore + chargedBefore;
  const moved = ledger.movements.reduce((sum, one) => sum + one.in_units + one.out_units, 0);
  const isPart = tokenId !== 0 || tag !== '';
  return {
    month: ledger.month,
    user_id: ledger.userId,
    token_id: tokenId,
    ...(tag === '' ? {} : { tag }),
    name: ledger.name,
    issued_at: Math.floor(ledger.nowMs / 1000),
    opening_units: isPart ? null : movedBefore - chargedBefore,
    closing_units: isPart ? null : ledger.movedUnits - ledger.chargedUnits,
    movements: [...ledger.movements],
    models,
    tokens: byToken(ledger.used),
    charged_units: charged,
    late,
    late_units: lateUnits,
    late_moved_units: isPart ? 0 : ledger.movedUnits - movedBefore - moved,
    charged_before_units: chargedBefore,
    charged_after_units: ledger.chargedUnits,
    units_per_dollar: ledger.unitsPerDollar,
  };
};
