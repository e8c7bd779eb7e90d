/** Local storage that never throws: private windows and full disks must not stop the console. */

/** The stored text; undefined if there is none or storage cannot be read. */
export const readStored = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Undefined removes the entry. */
export const store = (key: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage the value is asked for again next time.
  }
};

/** The stored JSON value; undefined if there is none or it is invalid. */
export const readStoredJson = (key: string): unknown => {
  const text = readStored(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
