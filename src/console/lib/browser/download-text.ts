const KEPT_MS = 60_000;

/** Hands a text to the browser as a file. */
export const downloadText = (fileName: string, text: string): void =>
  saveBlob(fileName, new Blob([`${text}\n`], { type: 'text/plain' }));

/** The same for what is no text, or too long for one. */
export const saveBlob = (fileName: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  // The browser reads it later, and without it saves a file of another name.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
};
