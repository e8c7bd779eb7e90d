/**
 * A stable hash of 16 hexadecimal digits (FNV-1a, twice). It tells names of one request apart; it does not resist
 * deliberate collisions.
 */
export const shortHash = (text: string): string => {
  let [first, second] = [2_166_136_261, 0x5bd1_e995];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 16_777_619);
    second = Math.imul(second ^ unit ^ (first >>> 15), 16_777_619);
  }
  return [first, second].map((state) => (state >>> 0).toString(16).padStart(8, '0')).join('');
};
