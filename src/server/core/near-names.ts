/** Bounds of the comparison, because the requested name comes from outside. */
const MOST_COMPARED = 500;
const MOST_CHARACTERS = 80;
const MOST_EDITS = 4;

/** How many characters must change to turn one name into the other; undefined if more than `most`. */
const edits = (from: string, to: string, most: number): number | undefined => {
  if (Math.abs(from.length - to.length) > most) return undefined;
  const far = most + 1;
  let above = new Uint8Array(to.length + 2);
  let line = new Uint8Array(to.length + 2);
  for (let column = 0; column <= to.length; column += 1) above[column] = Math.min(column, far);
  for (let row = 1; row <= from.length; row += 1) {
    // Cells further than `most` from the diagonal cannot give a result.
    const first = Math.max(1, row - most);
    const last = Math.min(to.length, row + most);
    line[first - 1] = first === 1 ? Math.min(row, far) : far;
    let least = far;
    for (let column = first; column <= last; column += 1) {
      const change = from.charCodeAt(row - 1) === to.charCodeAt(column - 1) ? 0 : 1;
      const replaced = (above[column - 1] ?? far) + change;
      const moved = Math.min(above[column] ?? far, line[column - 1] ?? far) + 1;
      const cost = Math.min(replaced, moved, far);
      line[column] = cost;
      if (cost < least) least = cost;
    }
    if (least === far) return undefined;
    line[last + 1] = far;
    [above, line] = [line, above];
  }
  const found = above[to.length] ?? far;
  return found > most ? undefined : found;
};

/** The name without its maker, in lower case: `Openai/GPT-5` becomes `gpt-5`. */
const plain = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase();

/**
 * Up to `most` of `names` that `asked` may mean, nearest first: names that start with it or that it starts with, and
 * names a few characters away.
 */
export const nearNames = (asked: string, names: readonly string[], most = 3): string[] => {
  if (asked === '' || asked.length > MOST_CHARACTERS) return [];
  const wanted = plain(asked);
  const reach = Math.min(MOST_EDITS, Math.floor(wanted.length / 3));
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names.slice(0, MOST_COMPARED)) {
    if (name.length > MOST_CHARACTERS) continue;
    const other = plain(name);
    const [short, long] = wanted.length < other.length ? [wanted, other] : [other, wanted];
    const isLonger = short.length > 2 && long.startsWith(short);
    const distance = edits(wanted, other, reach) ?? (isLonger ? long.length - short.length : undefined);
    if (distance !== undefined) near.push({ name, distance });
  }
  return near
    .toSorted((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
};
