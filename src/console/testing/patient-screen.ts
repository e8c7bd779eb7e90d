/** Before each file of unit tests: what a test waits for on a page may take longer than a second on a busy machine. */
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 30_000 });
}

export {};
