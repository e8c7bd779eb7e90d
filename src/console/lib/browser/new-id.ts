const BYTES = 16;

/** An id that nobody else makes. `crypto.randomUUID` is missing on pages without https, where consoles on own networks often are. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
