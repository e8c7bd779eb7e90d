import { type Statement, statement as statementShape } from '#contract/api/wallet/statements.ts';
import { monthOf } from '../wallet/statement.ts';
import { priceProblems } from './check-price.ts';
import {
  endShape,
  headShape,
  type ListName,
  type Part,
  partShape,
  proofShape,
  readLine,
  type Receipt,
  receiptShape,
} from './lines.ts';
import { isHash, leafHash, rootOfPath, TreeHasher } from './merkle.ts';
import type { CheckedSeals, SealCrypto } from './published-seals.ts';
import { checkSums, ListSums } from './statement-sums.ts';
import type { Late } from './statements-in-order.ts';

/**
 * The result of a check: everything is proven, some parts are known only by their sums, or something is wrong. `newer`: all
 * that is wrong is that the statement names seals and keys that came after the last of the given ones.
 */
export type Verdict = 'proven' | 'partly' | 'newer' | 'wrong';

/** The findings of a check, for whoever requested it. */
export interface StatementReport {
  readonly verdict: Verdict;
  readonly statement: Statement | undefined;
  /** What is wrong; only the first problems if there are many. */
  readonly problems: readonly string[];
  /** What the reader should know besides. */
  readonly notes: readonly string[];
  readonly calls: number;
  readonly movements: number;
  /** The units of receipts that came after the statement was issued; undefined if deleted rows leave that open. */
  readonly late: Late;
}

const MOST_PROBLEMS = 20;

/** The part whose receipts are being read. */
interface OpenPart {
  readonly part: Part;
  readonly tree: TreeHasher;
  units: number;
}

/**
 * Checks a statement with proofs against published seals, line by line. Whatever the statement's size, it keeps only
 * one part's tree and the sums by model and token. It reports a problem and reads on.
 */
export class StatementCheck {
  readonly #crypto: SealCrypto;
  readonly #published: CheckedSeals;
  readonly #problems: string[] = [];
  #more = 0;
  /** How many of the problems later seals may settle. */
  #newer = 0;
  readonly #names = new Set<string>();
  #unpriced = 0;
  #lines = 0;
  #isEnded = false;
  #statement: Statement | undefined;
  #open: OpenPart | undefined;
  #lists: Readonly<Record<ListName, ListSums>> | undefined;

  constructor(crypto: SealCrypto, published: CheckedSeals) {
    this.#crypto = crypto;
    this.#published = published;
  }

  /** Takes one line, without its line break. */
  line(text: string): void {
    if (this.#isEnded) return this.#wrong('there is something after the end of the file');
    this.#lines += 1;
    if (this.#lines === 1) return this.#head(text);
    const lists = this.#lists;
    if (lists === undefined) return;
    if (text.startsWith('{"tollgate":"proof"')) return this.#proof(text, lists);
    const end = readLine(endShape, text);
    if (end !== undefined) return this.#end(end.lines);
    this.#receipt(text, lists);
  }

  report(): StatementReport {
    if (!this.#isEnded) this.#wrong('the file is cut off: it has no end');
    const [statement, lists] = [this.#statement, this.#lists];
    const notes: string[] = [];
    if (statement !== undefined && lists !== undefined) {
      const sums = checkSums(statement, lists);
      for (const problem of sums.problems) this.#wrong(problem);
      notes.push(...sums.notes);
    }
    if (this.#unpriced > 0)
      notes.push(
        `${this.#unpriced} receipts have no lines of a price: their amounts cannot be worked out again`,
      );
    const problems = [...this.#published.problems, ...this.#problems];
    const isNewer = this.#newer > 0 && problems.length + this.#more === this.#newer;
    if (this.#more > 0) problems.push(`and ${this.#more} more`);
    const isPartly = lists !== undefined && Object.values(lists).some(({ deleted }) => deleted > 0);
    return {
      verdict: isNewer ? 'newer' : problems.length > 0 ? 'wrong' : isPartly ? 'partly' : 'proven',
      statement,
      problems,
      notes,
      calls: lists?.calls.count ?? 0,
      movements: lists?.movements.count ?? 0,
      late: { units: lists?.calls.lateUnits, outUnits: lists?.movements.lateOutUnits },
    };
  }

  #wrong(problem: string, isNewer = false): void {
    if (isNewer) this.#newer += 1;
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem);
    else this.#more += 1;
  }

  #head(text: string): void {
    const head = readLine(headShape, text);
    const statement = head && readLine(statementShape, head.statement);
    if (head === undefined || statement === undefined) return this.#wrong('this is no statement with proofs');
    const key = this.#published.keys.get(head.key);
    if (key === undefined || !this.#crypto.verify(key.public_key, head.statement, head.signature))
      this.#wrong('the statement is not signed by a published key', key === undefined);
    const isPart = statement.token_id !== 0 || statement.tag !== undefined;
    if (isPart || statement.opening_units === null || statement.closing_units === null)
      this.#wrong('only statements of whole accounts can be checked');
    this.#statement = statement;
    this.#lists = {
      calls: new ListSums(statement.models.reduce((sum, { calls }) => sum + calls, 0)),
      movements: new ListSums(statement.movements.reduce((sum, { count }) => sum + count, 0)),
    };
  }

  #proof(text: string, lists: Readonly<Record<ListName, ListSums>>): void {
    this.#closePart();
    const proof = readLine(proofShape, text);
    const part = proof && readLine(partShape, proof.part);
    if (proof === undefined || part === undefined) return this.#wrong(`line ${this.#lines} is damaged`);
    const seal = this.#published.seals.get(part.seal);
    if (!proof.path.every(isHash)) this.#wrong(`line ${this.#lines} is damaged`);
    const leaf = leafHash(this.#crypto.sha256, proof.part);
    const root = rootOfPath(this.#crypto.sha256, leaf, proof, proof.path);
    if (seal === undefined)
      this.#wrong(
        `seal ${part.seal} is not published, or not as it should be`,
        part.seal > this.#published.last,
      );
    else if (root !== seal.root)
      this.#wrong(`seal ${part.seal} (${seal.day}): its sums of ${part.list} are not those that were sealed`);
    if (part.user !== this.#statement?.user_id || part.month !== this.#statement.month)
      this.#wrong(`seal ${part.seal} has receipts of another account or month`);
    for (const problem of lists[part.list].addPart(part, proof.deleted)) this.#wrong(problem);
    // Only calls are ever cleared from the logs. Movements that are said to be deleted are being withheld.
    if (proof.deleted && part.list === 'movements')
      this.#wrong(
        `seal ${part.seal} (${seal?.day ?? ''}): its movements are not there, though none are ever deleted`,
      );
    this.#open = proof.deleted ? undefined : { part, tree: new TreeHasher(this.#crypto.sha256), units: 0 };
  }

  #receipt(text: string, lists: Readonly<Record<ListName, ListSums>>): void {
    const receipt = readLine(receiptShape, text);
    const open = this.#open;
    if (receipt === undefined || open === undefined)
      return this.#wrong(`line ${this.#lines} is damaged, or where none should be`);
    const { part, tree } = open;
    tree.add(leafHash(this.#crypto.sha256, text));
    open.units += receipt.units;
    if (!belongs(receipt, part)) this.#wrong(`line ${this.#lines} is not of ${part.list} of ${part.month}`);
    lists[part.list].addReceipt(receipt);
    this.#once(receipt);
    if (receipt.tollgate === 'call') this.#price(receipt);
  }

  /** Reports a second receipt of the same call: it was charged twice. */
  #once(receipt: Receipt): void {
    const name = receipt.tollgate === 'call' ? `call ${receipt.request_id}` : `movement ${receipt.id}`;
    if (this.#names.has(name)) this.#wrong(`${name} is there twice`);
    this.#names.add(name);
  }

  #price(call: Extract<Receipt, { tollgate: 'call' }>): void {
    const problems = priceProblems(call);
    if (problems === undefined) this.#unpriced += 1;
    for (const problem of problems ?? []) this.#wrong(`call ${call.request_id}: ${problem}`);
  }

  #closePart(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { part, tree, units } = open;
    const where = `seal ${part.seal} (${this.#published.seals.get(part.seal)?.day ?? 'not published'})`;
    if (tree.count < part.count)
      this.#wrong(`${where}: ${part.count - tree.count} of ${part.count} ${part.list} were taken out`);
    else if (tree.count > part.count)
      this.#wrong(`${where}: ${tree.count - part.count} ${part.list} were added to ${part.count}`);
    else if (tree.root() !== part.root)
      this.#wrong(`${where}: ${part.list} were changed, or their order was`);
    else if (units !== part.units)
      this.#wrong(`${where}: its ${part.list} come to ${units} units, and not to ${part.units}`);
  }

  #end(lines: number): void {
    this.#closePart();
    this.#isEnded = true;
    if (lines !== this.#lines - 1)
      this.#wrong(`the file has ${this.#lines - 1} lines before its end, and not ${lines}`);
  }
}

const belongs = (receipt: Receipt, part: Part): boolean =>
  receipt.user === part.user &&
  monthOf(receipt.at) === part.month &&
  receipt.tollgate === (part.list === 'calls' ? 'call' : 'movement');
