const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A text that logs, errors and JSON print as `[secret]`, so that it cannot leak by accident. */
export class Secret {
  #value: string | (() => string);

  /** @param value the text, or a function that decrypts it when it is first needed */
  constructor(value: string | (() => string)) {
    this.#value = value;
  }

  /** The text itself, for the one place that sends it. */
  reveal(): string {
    if (typeof this.#value !== 'string') this.#value = this.#value();
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
