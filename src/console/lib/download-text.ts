/** Hands a text to the browser as a file. */
export const downloadText = (fileName: string, text: string): void =>
  saveBlob(fileName, new Blob([`${text}\n`], { type: 'text/plain' }));

/** The same for what is no text, or too long for one. */
export const saveBlob = (fileName: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  URL.revokeObjectURL(url);
};

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
const cellOf = (text: string): string => {
  const defused = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

/** Rows as comma-separated values, with the mark by which spreadsheets know UTF-8. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}`;
