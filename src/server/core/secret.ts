const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A text that logs, errors and JSON print as `[secret]`, so that it cannot leak by accident. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself, for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [INSPECT](): string {
    return '[secret]';
  }
}
