const [ZERO, NINE] = [0x30, 0x39];

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= NINE;

/** As how many letters a byte of a text counts: a digit has a token of its own, where letters share one. */
export const lettersOf = (byte: number): number => (isDigit(byte) ? 2 : 1);
