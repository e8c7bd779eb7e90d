/** The errors that some part of the page shows itself, with a way to try again. Each failure is an object of its own. */
const shown = new WeakSet<object>();

export const noteShown = (error: unknown): void => {
  if (typeof error === 'object' && error !== null) shown.add(error);
};

export const isShown = (error: object): boolean => shown.has(error);
