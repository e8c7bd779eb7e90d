interface Weighed {
  readonly weight: number;
}

/**
 * Draws one of `channels` by weight, in proportion to its share of the sum; if all weights are 0, all are equally
 * likely. A channel of weight 0 beside others with weight is drawn only when those are used up.
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

/** How likely `draw` takes each of them, from 0 to 1. */
export const chancesOf = (channels: readonly Weighed[]): readonly number[] => {
  const total = channels.reduce((sum, { weight }) => sum + weight, 0);
  return channels.map(({ weight }) => (total === 0 ? 1 / channels.length : weight / total));
};

const sums = new WeakMap<readonly Weighed[], Float64Array>();

/** The weights added up from the first to each. */
const sumsOf = (list: readonly Weighed[]): Float64Array => {
  let added = sums.get(list);
  if (added === undefined) {
    added = new Float64Array(list.length);
    let sum = 0;
    for (const [index, { weight }] of list.entries()) added[index] = sum += weight;
    // Without any weight all are equal.
    if (sum === 0) for (const index of list.keys()) added[index] = index + 1;
    sums.set(list, added);
  }
  return added;
};

/** Where in `added` a value falls. */
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

/** Another dice of one, which shows no trace of it. */
const again = (dice: number): number => {
  let bits = Math.imul(Math.floor(dice * 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
};

/** So many are drawn before all are looked at. */
const DRAWS = 16;

/**
 * Draws one of those that are open, each as likely as if the closed ones were not there: where a closed one is drawn, once
 * more, at last among the open ones only. So mostly a few are looked at. The list must stay as it is.
 * @param narrowed where the first one is closed, those of the list that may be open
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
