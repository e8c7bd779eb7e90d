import type { Statement } from '#contract/api/wallet/statements.ts';
import { TOKENS_NAMED } from '../wallet/statement.ts';
import type { ListName, Part, Receipt } from './lines.ts';

interface Sum {
  calls: number;
  prompt: number;
  completion: number;
  units: number;
  /** The part of it that left the account; 0 or less. */
  out: number;
}

const addTo = <Key>(sums: Map<Key, Sum>, key: Key, receipt: Receipt): void => {
  const sum = sums.get(key) ?? { calls: 0, prompt: 0, completion: 0, units: 0, out: 0 };
  sum.calls += 1;
  sum.units += receipt.units;
  sum.out += Math.min(0, receipt.units);
  if (receipt.tollgate === 'call') {
    sum.prompt += receipt.prompt_tokens;
    sum.completion += receipt.completion_tokens;
  }
  sums.set(key, sum);
};

/**
 * The sums of one list of a month. A statement covers the first `stated` receipts in the order they were written.
 * Charges after it was issued follow them and appear in a later statement as late.
 */
export class ListSums {
  /** The number of receipts the statement covers. */
  readonly stated: number;
  /** The number of receipts so far; below, how many of them are known only by their sums. */
  count = 0;
  deleted = 0;
  units = 0;
  /**
   * The units of the first `stated` receipts; undefined if deleted rows lie across that border, or there are too few
   * receipts.
   */
  statedUnits: number | undefined;
  /** The bounds of `statedUnits` if deleted rows lie across that border. */
  border: { readonly least: number; readonly most: number } | undefined;
  readonly byName = new Map<string, Sum>();
  readonly byToken = new Map<number, Sum>();
  /** The part of the later ones that left the account; 0 or less. */
  #lateOutUnits = 0;
  #countOfParts = 0;
  #unitsOfParts = 0;
  #lastSeal = 0;

  constructor(stated: number) {
    this.stated = stated;
    this.#look();
  }

  /** Adds the next part. @returns what is wrong with it */
  addPart(part: Part, isDeleted: boolean): string[] {
    const problems: string[] = [];
    if (part.seal <= this.#lastSeal)
      problems.push(`seal ${part.seal} comes after seal ${this.#lastSeal}: days are in another order`);
    if (part.count_before !== this.#countOfParts || part.units_before !== this.#unitsOfParts)
      problems.push(
        `before seal ${part.seal} there were ${part.count_before} ${part.list} of ${part.units_before} units, and not ` +
          `${this.#countOfParts} of ${this.#unitsOfParts}: a day was taken out or changed`,
      );
    this.#lastSeal = part.seal;
    this.#countOfParts = part.count_before + part.count;
    this.#unitsOfParts = part.units_before + part.units;
    if (isDeleted) {
      if (this.count < this.stated && this.count + part.count > this.stated)
        this.border = { least: this.units, most: this.units + part.units };
      this.count += part.count;
      this.deleted += part.count;
      this.units += part.units;
      this.#look();
    }
    return problems;
  }

  /** The units of the receipts that the statement does not cover; undefined if that is not known. */
  get lateUnits(): number | undefined {
    return this.statedUnits === undefined ? undefined : this.units - this.statedUnits;
  }

  get lateOutUnits(): number | undefined {
    return this.deleted > 0 ? undefined : this.#lateOutUnits;
  }

  addReceipt(receipt: Receipt): void {
    if (this.count < this.stated) {
      addTo(this.byName, receipt.tollgate === 'call' ? receipt.model : receipt.kind, receipt);
      if (receipt.tollgate === 'call') addTo(this.byToken, receipt.token, receipt);
    } else this.#lateOutUnits += Math.min(0, receipt.units);
    this.count += 1;
    this.units += receipt.units;
    this.#look();
  }

  #look(): void {
    if (this.count === this.stated) this.statedUnits = this.units;
  }
}

type Lists = Readonly<Record<ListName, ListSums>>;

const compared = (what: string, stated: number, proven: number): string[] =>
  stated === proven ? [] : [`the statement says ${stated} ${what}, its receipts ${proven}`];

/** What is wrong within a statement itself: its lines must add up to its totals. */
export const ownSums = (statement: Statement): string[] => {
  const charged = statement.models.reduce((sum, { units }) => sum + units, 0);
  const byToken = statement.tokens.reduce((sum, { units }) => sum + units, 0);
  const moved = statement.movements.reduce((sum, one) => sum + one.in_units + one.out_units, 0);
  const { opening_units: opening, closing_units: closing, charged_units, late_units } = statement;
  // Only an account has a balance: statements of a token or a tag cover charges only.
  const isBalanced =
    opening === null ||
    opening + moved + statement.late_moved_units === (closing ?? 0) + charged_units + late_units;
  const isCounted =
    statement.charged_before_units + charged_units + late_units === statement.charged_after_units;
  return charged === charged_units && byToken === charged_units && isBalanced && isCounted
    ? []
    : ['the statement does not add up in itself'];
};

const sumsByModel = (statement: Statement, { byName }: ListSums): string[] =>
  statement.models.flatMap((line) => {
    const sum = byName.get(line.model);
    return [
      ...compared(`calls of ${line.model}`, line.calls, sum?.calls ?? 0),
      ...compared(`units for ${line.model}`, line.units, sum?.units ?? 0),
      ...compared(`input tokens of ${line.model}`, line.prompt_tokens, sum?.prompt ?? 0),
      ...compared(`output tokens of ${line.model}`, line.completion_tokens, sum?.completion ?? 0),
    ];
  });

const sumsByToken = (statement: Statement, { byToken }: ListSums): string[] =>
  statement.tokens.length >= TOKENS_NAMED
    ? []
    : statement.tokens.flatMap((line) =>
        compared(`units for token ${line.token_id}`, line.units, byToken.get(line.token_id)?.units ?? 0),
      );

const sumsByKind = (statement: Statement, { byName }: ListSums): string[] =>
  statement.movements.flatMap((line) => {
    const { calls = 0, units = 0, out = 0 } = byName.get(line.kind) ?? {};
    return [
      ...compared(`movements by ${line.kind}`, line.count, calls),
      ...compared(`units that came in by ${line.kind}`, line.in_units, units - out),
      ...compared(`units that went out by ${line.kind}`, line.out_units, out),
    ];
  });

const tooFew = (list: string, { stated, count }: ListSums): string[] =>
  count < stated
    ? [
        `${stated - count} of the statement's ${stated} ${list} are under no seal: they were never logged, ` +
          'are not sealed yet, or were taken out',
      ]
    : [];

const notesOf = (list: string, { count, stated, deleted, statedUnits, units }: ListSums): string[] => {
  const notes: string[] = [];
  if (deleted > 0)
    notes.push(`of ${deleted} ${list} the rows were deleted: only the sums of their days are proven`);
  if (count > stated && statedUnits !== undefined)
    notes.push(
      `${count - stated} ${list} of ${units - statedUnits} units came after the statement was issued: a later one has them as late`,
    );
  if (count > stated && statedUnits === undefined)
    notes.push(
      `deleted rows are of before and after the statement was issued: its ${list} cannot be told apart`,
    );
  return notes;
};

/** Charges are never negative, so sums of whole parts are valid bounds. */
const beyondBorder = (stated: number, { border }: ListSums): string[] =>
  border === undefined || (stated >= border.least && stated <= border.most)
    ? []
    : [`the statement says ${stated} units for calls, its days ${border.least} to ${border.most}`];

/** Compares a statement with the sums of its receipts, and reports what differs. */
export const checkSums = (
  statement: Statement,
  { calls, movements }: Lists,
): { readonly problems: readonly string[]; readonly notes: readonly string[] } => {
  const problems = [...ownSums(statement), ...tooFew('calls', calls), ...tooFew('movements', movements)];
  const moved = statement.movements.reduce((sum, one) => sum + one.in_units + one.out_units, 0);
  if (calls.statedUnits !== undefined)
    problems.push(...compared('units for calls', statement.charged_units, calls.statedUnits));
  problems.push(...beyondBorder(statement.charged_units, calls));
  if (movements.statedUnits !== undefined)
    problems.push(...compared('units moved', moved, movements.statedUnits));
  if (calls.deleted === 0 && calls.statedUnits !== undefined)
    problems.push(...sumsByModel(statement, calls), ...sumsByToken(statement, calls));
  if (movements.deleted === 0 && movements.statedUnits !== undefined)
    problems.push(...sumsByKind(statement, movements));
  const notes = [...notesOf('calls', calls), ...notesOf('movements', movements)];
  if (statement.late_units !== 0)
    notes.push(
      `${statement.late_units} units are late charges of months before: their receipts are with the statements of those months`,
    );
  if (statement.late_moved_units !== 0)
    notes.push(
      `${statement.late_moved_units} units are late movements of months before: their receipts are with the statements of those months`,
    );
  return { problems, notes };
};
