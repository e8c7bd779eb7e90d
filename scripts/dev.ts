import { spawn } from 'node:child_process';
import { projectRoot } from './run-command.ts';

/** Runs the server, restarted on every change, and the console's development server in front of it on port 5173. */
const port = process.env['PORT'] ?? '3000';
const env = {
  ...process.env,
  PORT: port,
  HOST: '127.0.0.1',
  TOLLGATE_API: `http://127.0.0.1:${port}`,
  TOLLGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
  TOLLGATE_ALLOW_PRIVATE_WEBHOOKS: 'true',
  TOLLGATE_ALLOW_PRIVATE_MAIL: 'true',
  PATH: `${projectRoot}/node_modules/.bin:${process.env['PATH']}`,
};

const programs = [
  spawn('node', ['--watch', '--watch-preserve-output', 'src/server/main.ts'], {
    cwd: projectRoot,
    env,
    stdio: 'inherit',
  }),
  spawn('vite', [], { cwd: projectRoot, env, stdio: 'inherit' }),
];

const stop = (): void => {
  for (const program of programs) program.kill('SIGTERM');
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
for (const program of programs) program.once('exit', stop);
