import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listens, startPinned, until, type Core, type Running } from './pinned.ts';

/** The answer of every whole call: 1 KB of a chat completion with its usage. */
const wholeReply = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'bench-whole',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'tollgate '.repeat(77).trim() },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 80, total_tokens: 100 },
});

const common = (folder: string, body: string): string => `
daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log crit;
events { worker_connections 8192; }
http {
  access_log off; keepalive_requests 100000000; keepalive_timeout 600s; client_max_body_size 100m;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  ${body}
}
`;

const start = async (core: Core, port: number, body: string): Promise<Running> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-nginx-'));
  const config = join(folder, 'nginx.conf');
  await writeFile(config, common(folder, body));
  const running = startPinned(core, 'nginx', ['-c', config, '-p', folder]);
  await until('the start of nginx', () => listens(port));
  return running;
};

/** The cheapest possible upstream: answers the same 1 KB to every call. */
export const startWholeUpstream = (port: number): Promise<Running> =>
  start(
    1,
    port,
    `server {
      listen 127.0.0.1:${port} reuseport backlog=4096;
      location / { default_type application/json; return 200 '${wholeReply}'; }
    }`,
  );

/** nginx as a bare proxy with kept connections: no authentication, no limits, no log. */
export const startNginxProxy = (port: number, upstreamPort: number): Promise<Running> =>
  start(
    0,
    port,
    `upstream up { server 127.0.0.1:${upstreamPort}; keepalive 4096; keepalive_requests 100000000; }
    server {
      listen 127.0.0.1:${port} backlog=4096;
      location / {
        proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection "";
        proxy_buffering off; proxy_read_timeout 600s;
      }
    }`,
  );
