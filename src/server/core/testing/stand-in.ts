/**
 * Stands in for `Whole` in a test: has only what the code under test should touch, checked against the real type. Reading
 * anything else throws its name.
 */
export const standIn = <Whole extends object>(given: Partial<Whole>): Whole =>
  new Proxy(given as Whole, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name) as unknown;
      // Promises and matchers ask every object for these.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      throw new Error(`the test gives no ${name}`);
    },
  });
