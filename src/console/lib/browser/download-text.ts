const KEPT_MS = 60_000;

/** Saves a text as a file. */
export const downloadText = (fileName: string, text: string): void =>
  saveBlob(fileName, new Blob([`${text}\n`], { type: 'text/plain' }));

/** The same for binary data, or a text that is too long for one string. */
export const saveBlob = (fileName: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  // The browser reads the address later, and without it saves a file with another name.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
};
