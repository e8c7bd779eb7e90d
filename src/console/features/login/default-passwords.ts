/** First passwords of gateways of this kind, as their manuals print them. */
const known: ReadonlySet<string> = new Set([
  '123456',
  '12345678',
  '123456789',
  'admin',
  'admin123',
  'adminadmin',
  'password',
  'root',
  'changeme',
]);

/** Whether everybody knows this password. Source: specification, the warning at login. */
export const isDefaultPassword = (password: string): boolean => known.has(password.toLowerCase());
