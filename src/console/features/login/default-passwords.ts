/** Default passwords of similar gateways, from their manuals. */
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

/** Whether this is a publicly known default password. Source: specification, the warning at login. */
export const isDefaultPassword = (password: string): boolean => known.has(password.toLowerCase());
