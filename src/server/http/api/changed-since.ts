type Fields = Readonly<Record<string, unknown>>;

/**
 * A field that stands for another one: a key never leaves the server, so a mark that differs for every key is
 * compared.
 */
const SHOWN_FOR: Readonly<Record<string, string>> = { key: 'key_mark' };

/**
 * The fields that others have changed since the editor read them, unless to what the editor wants.
 * @param now the object as it would be returned now
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
