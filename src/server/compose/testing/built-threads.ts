import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import threads from 'node:worker_threads';

/**
 * Tests start the threads of the server from the build, as operators do: from the sources a thread loads up to 1400 modules,
 * which takes five times as long. `npm test` asks for it after it has built (vitest.config.ts).
 */
const BUILT = join(import.meta.dirname, '../../../../dist/server');
const FromSources = threads.Worker;

const builtOf = (file: string | URL): string | URL => {
  if (!(file instanceof URL) || !file.pathname.endsWith('-worker.ts')) return file;
  const built = join(BUILT, basename(fileURLToPath(file), '.ts') + '.js');
  return existsSync(built) ? built : file;
};

class BuiltWorker extends FromSources {
  constructor(file: string | URL, options?: threads.WorkerOptions) {
    super(builtOf(file), options);
  }
}

if (FromSources.name !== BuiltWorker.name) {
  threads.Worker = BuiltWorker;
  syncBuiltinESMExports();
}
