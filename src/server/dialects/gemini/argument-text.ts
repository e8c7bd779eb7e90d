import type { Steps } from './partial-arguments.ts';

/** An object or list that is being told. */
interface OpenHolder {
  /** Where it stands in the one around it. */
  readonly step: string | number;
  readonly isList: boolean;
  /** What of it was told. */
  readonly names: Set<string | number>;
}

/**
 * The JSON text of arguments that come piece by piece, told while they come. What was told cannot be changed: where a
 * piece comes back to something that is over, the outermost field it belongs to is told again, whole, at the end. Of
 * two fields of one name every JSON parser takes the last.
 */
export class ArgumentText {
  readonly #holders: OpenHolder[] = [{ step: '', isList: false, names: new Set() }];
  /** The text that more may come of: where it stands. */
  #openText: Steps | undefined;
  /** Outermost fields that are told at the end. */
  readonly #late = new Set<string | number>();
  #hasBegun = false;

  /** What to tell of a value at this place. */
  add(steps: Steps, value: unknown): string {
    const [outermost = ''] = steps;
    if (this.#late.has(outermost)) return '';
    if (typeof value === 'string' && this.#openText !== undefined && isSame(this.#openText, steps))
      return escaped(value);
    const isOpenHere = this.#holders[1]?.step === outermost;
    const told = this.#begin() + this.#closeText();
    const shared = this.#sharedWith(steps);
    if (!this.#isNext(shared, steps)) {
      this.#late.add(outermost);
      return isOpenHere ? told + this.#closeTo(1) : told;
    }
    return told + this.#closeTo(shared) + this.#open(steps, shared) + this.#tell(steps, value);
  }

  /** The rest. `root`: the arguments as they are in the end. */
  end(root: Readonly<Record<string, unknown>>): string {
    let told = this.#begin() + this.#closeText() + this.#closeTo(1);
    for (const name of this.#late) told += this.#name(name) + JSON.stringify(root[String(name)]);
    return `${told}}`;
  }

  #begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    return '{';
  }

  /** How many of the open holders these steps go through. */
  #sharedWith(steps: Steps): number {
    let shared = 1;
    while (shared < this.#holders.length && this.#holders[shared]?.step === steps[shared - 1]) shared += 1;
    // The last step is a value, and no way into a holder.
    return Math.min(shared, steps.length);
  }

  /** Whether the value can be told now: a new name of the last shared object, or the next place of that list. */
  #isNext(shared: number, steps: Steps): boolean {
    const holder = this.#holders[shared - 1];
    const step = steps[shared - 1];
    if (holder === undefined || step === undefined || holder.isList !== (typeof step === 'number'))
      return false;
    const isNew = holder.isList ? step === holder.names.size : !holder.names.has(step);
    // What is opened for it begins with its first place.
    return isNew && steps.slice(shared).every((inner) => typeof inner === 'string' || inner === 0);
  }

  #open(steps: Steps, shared: number): string {
    let told = '';
    for (let at = shared; at < steps.length; at += 1) {
      const step = steps[at - 1] ?? '';
      const isList = typeof steps[at] === 'number';
      told += this.#name(step) + (isList ? '[' : '{');
      this.#holders.push({ step, isList, names: new Set() });
    }
    return told;
  }

  #tell(steps: Steps, value: unknown): string {
    const name = this.#name(steps.at(-1) ?? '');
    if (typeof value !== 'string') return name + JSON.stringify(value);
    this.#openText = steps;
    return `${name}"${escaped(value)}`;
  }

  /** The name of a field, or nothing for a place in a list, after what is told already. */
  #name(step: string | number): string {
    const holder = this.#holders.at(-1);
    if (holder === undefined) return '';
    const comma = holder.names.size === 0 ? '' : ',';
    holder.names.add(step);
    return holder.isList ? comma : `${comma}${JSON.stringify(String(step))}:`;
  }

  #closeText(): string {
    if (this.#openText === undefined) return '';
    this.#openText = undefined;
    return '"';
  }

  #closeTo(count: number): string {
    return this.#holders
      .splice(count)
      .toReversed()
      .map(({ isList }) => (isList ? ']' : '}'))
      .join('');
  }
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const isSame = (one: Steps, other: Steps): boolean =>
  one.length === other.length && one.every((step, at) => step === other[at]);
