interface Weighed {
  readonly weight: number;
}

/**
 * Draws one of `channels` with a probability in proportion to its weight; if all weights are 0, all are equally likely.
 * A channel of weight 0 beside others with weight is drawn only after those are used up.
 */
export const draw = <One extends Weighed>(channels: readonly One[], dice: number): One | undefined => {
  const total = channels.reduce((sum, channel) => sum + channel.weight, 0);
  if (total === 0) return channels[Math.floor(dice * channels.length)];
  let rest = dice * total;
  for (const channel of channels) {
    rest -= channel.weight;
    if (rest < 0) return channel;
  }
  return channels.findLast((channel) => channel.weight > 0);
};

/** The probability, from 0 to 1, that `draw` takes each of them. */
export const chancesOf = (channels: readonly Weighed[]): readonly number[] => {
  const total = channels.reduce((sum, { weight }) => sum + weight, 0);
  return channels.map(({ weight }) => (total === 0 ? 1 / channels.length : weight / total));
};

const sums = new WeakMap<readonly Weighed[], Float64Array>();

/** The running sums of the weights. */
const sumsOf = (list: readonly Weighed[]): Float64Array => {
  let added = sums.get(list);
  if (added === undefined) {
    added = new Float64Array(list.length);
    let sum = 0;
    for (const [index, { weight }] of list.entries()) added[index] = sum += weight;
    // Without any weight all are equally likely.
    if (sum === 0) for (const index of list.keys()) added[index] = index + 1;
    sums.set(list, added);
  }
  return added;
};

/** The index in `added` that a value falls into. */
const placeIn = (added: Float64Array, value: number): number => {
  let [low, high] = [0, added.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((added[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

const drawFast = <One extends Weighed>(list: readonly One[], dice: number): One | undefined => {
  const added = sumsOf(list);
  return list[placeIn(added, dice * (added.at(-1) ?? 0))];
};

/** Derives another random number that does not correlate with the first. */
const again = (dice: number): number => {
  let bits = Math.imul(Math.floor(dice * 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
};

/** The number of draws before all are examined. */
const DRAWS = 16;

/**
 * Draws one of the open ones with the probability it would have if the closed ones were not there. After drawing a
 * closed one, it draws again, at last among the open ones only, so usually only a few are examined. The list must not
 * change.
 * @param narrowed returns those of the list that may be open; called if the first draw is closed
 */
export const drawOpen = <One extends Weighed>(
  list: readonly One[],
  isOpen: (one: One) => boolean,
  dice: number,
  narrowed?: (list: readonly One[]) => readonly One[],
): One | undefined => {
  let rest = dice;
  if (narrowed !== undefined) {
    const first = drawFast(list, rest);
    if (first !== undefined && isOpen(first)) return first;
    const left = narrowed(list);
    return left.length === 0 ? undefined : drawOpen(left, isOpen, again(rest));
  }
  for (let left = DRAWS; left > 0; left -= 1) {
    const one = drawFast(list, rest);
    if (one !== undefined && isOpen(one)) return one;
    rest = again(rest);
  }
  return draw(list.filter(isOpen), rest);
};
