/** A price with every digit that counts: cents are too coarse for a million tokens of a small model. */
export const formatPrice = (dollars: number): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;
