import { join } from 'node:path';
import { builtConsole, builtServer, buildWhereOld } from './build-where-old.ts';
import { projectRoot } from './run-command.ts';

/** `npm start`: builds what is missing or older than its sources, then serves. `--demo` serves a site full of made-up data. */

const serve = async (): Promise<void> => {
  await buildWhereOld(builtServer);
  await import(join(projectRoot, 'bin/tollgate.cjs'));
};

/** From the sources, because the fake provider is not part of the built server. */
const demo = async (): Promise<void> => {
  const { serveDemo } = await import('./demo.ts');
  await serveDemo();
};

try {
  await buildWhereOld(builtConsole);
  await (process.argv.includes('--demo') ? demo() : serve());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
