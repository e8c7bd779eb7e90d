type Fields = Readonly<Record<string, unknown>>;

/** A key never leaves the server; this is another for every key. */
const SHOWN_FOR: Readonly<Record<string, string>> = { key: 'key_mark' };

/**
 * The fields that are neither as the editor read them nor as the editor wants them.
 * @param now the object as it would be answered now
 */
export const changedSince = (
  { was = {}, ...changes }: { readonly was?: Fields | undefined } & Fields,
  now: Fields,
): string[] =>
  Object.entries(changes).flatMap(([name, wanted]) => {
    const shown = SHOWN_FOR[name] ?? name;
    const isAsRead = !(shown in was) || was[shown] === now[shown];
    return wanted === undefined || isAsRead || wanted === now[name] ? [] : [name];
  });
