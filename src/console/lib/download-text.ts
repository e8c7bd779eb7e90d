/** Hands a text to the browser as a file. */
export const downloadText = (fileName: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  URL.revokeObjectURL(url);
};
