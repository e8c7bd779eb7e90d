/** A path in the arguments: names and indexes from the root. */
export type Steps = readonly (string | number)[];

/** An object or list that is being written. */
interface OpenHolder {
  /** Its name or index in its parent. */
  readonly step: string | number;
  readonly isList: boolean;
  /** The names and indexes already written. */
  readonly names: Set<string | number>;
}

/**
 * Writes arguments that arrive in pieces as streamed JSON text. Written text cannot be changed: if a piece belongs to a
 * part that is already closed, its whole outermost field is written again at the end. Of duplicate fields every JSON
 * parser takes the last.
 */
export class ArgumentText {
  readonly #holders: OpenHolder[] = [{ step: '', isList: false, names: new Set() }];
  /** The path of a text that may continue. */
  #openText: Steps | undefined;
  /** Outermost fields to write again at the end. */
  readonly #late = new Set<string | number>();
  #hasBegun = false;

  /** The JSON text to write for a value at this path. */
  add(steps: Steps, value: unknown): string {
    const [outermost = ''] = steps;
    if (this.#late.has(outermost)) return '';
    if (typeof value === 'string' && this.#openText !== undefined && isSame(this.#openText, steps))
      return escaped(value);
    const isOpenHere = this.#holders[1]?.step === outermost;
    const written = this.#begin() + this.#closeText();
    const shared = this.#sharedWith(steps);
    if (!this.#isNext(shared, steps)) {
      this.#late.add(outermost);
      return isOpenHere ? written + this.#closeTo(1) : written;
    }
    return written + this.#closeTo(shared) + this.#open(steps, shared) + this.#tell(steps, value);
  }

  /** The remaining text. `root`: the final arguments. */
  end(root: Readonly<Record<string, unknown>>): string {
    let written = this.#begin() + this.#closeText() + this.#closeTo(1);
    for (const name of this.#late) written += this.#name(name) + JSON.stringify(root[String(name)]);
    return `${written}}`;
  }

  #begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    return '{';
  }

  /** How many open holders are on this path. */
  #sharedWith(steps: Steps): number {
    let shared = 1;
    while (shared < this.#holders.length && this.#holders[shared]?.step === steps[shared - 1]) shared += 1;
    // The last step is the value itself.
    return Math.min(shared, steps.length);
  }

  /** Whether the value can be written now: a new name in the last shared object, or the next index of that list. */
  #isNext(shared: number, steps: Steps): boolean {
    const holder = this.#holders[shared - 1];
    const step = steps[shared - 1];
    if (holder === undefined || step === undefined || holder.isList !== (typeof step === 'number'))
      return false;
    const isNew = holder.isList ? step === holder.names.size : !holder.names.has(step);
    // A new list must begin with index 0.
    return isNew && steps.slice(shared).every((inner) => typeof inner === 'string' || inner === 0);
  }

  #open(steps: Steps, shared: number): string {
    let written = '';
    for (let at = shared; at < steps.length; at += 1) {
      const step = steps[at - 1] ?? '';
      const isList = typeof steps[at] === 'number';
      written += this.#name(step) + (isList ? '[' : '{');
      this.#holders.push({ step, isList, names: new Set() });
    }
    return written;
  }

  #tell(steps: Steps, value: unknown): string {
    const name = this.#name(steps.at(-1) ?? '');
    if (typeof value !== 'string') return name + JSON.stringify(value);
    this.#openText = steps;
    return `${name}"${escaped(value)}`;
  }

  /** The field's name, after a comma if needed; no name in a list. */
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
