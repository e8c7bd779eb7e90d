import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { contentSecurityPolicy, pageHeaders, scriptHostsOf } from './security-headers.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.webmanifest']);
/** One level higher takes seven times as long and saves a three-hundredth. */
const BROTLI_QUALITY = 8;
const INDEX = '/index.html';
/** Written by the build (vite.config.ts). */
const ADDRESSES = '/addresses.json';
/** Pages opened by a shared link, which search engines should not list. */
const NOT_FOR_SEARCH = new Set(['/shared-usage']);
/** Where the build puts files with a content hash in their name. */
const HASHED = '/assets/';

type Encoding = 'br' | 'gzip';

interface StaticFile {
  readonly type: string;
  readonly compressible: boolean;
  read(): Promise<Buffer>;
  /** The bytes in each encoding, read or compressed on the first request and kept, so that slow clients share them. */
  readonly bodies: Map<Encoding | 'plain', Promise<Buffer>>;
}

/**
 * Serves the console's files, also those of a build made while the server runs. `status` is the JSON of `/api/status`,
 * embedded into the page.
 */
export const createConsoleFiles = (folder: string, status: () => Promise<unknown>) => {
  const site: Site = { build: readBuild(folder), refresh: () => refresh(folder, site), status };
  return (request: IncomingMessage, response: ServerResponse): void => {
    void answer(site, request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const [code, said] = isGone(error)
        ? ([503, REPLACED] as const)
        : ([500, 'internal server error'] as const);
      send(response, code, 'text/plain; charset=utf-8', Buffer.from(said), NOT_KEPT);
    });
  };
};

const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** A new release is being installed or built over the running one. */
const REPLACED = 'the files of the console are being replaced: reload the page in a moment';

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The console as it was built last. */
interface Build {
  readonly page: string;
  /** Whether the console has a page at this address. Any other gets the page too, which says so, with the status 404. */
  readonly hasPage: (path: string) => boolean;
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Differs after every build. */
  readonly stamp: string;
}

interface Site {
  build: Build;
  /** Checks for a newer build. */
  readonly refresh: () => void;
  readonly status: () => Promise<unknown>;
}

const readBuild = (folder: string): Build => {
  const index = join(folder, INDEX);
  const stamp = stampOf(folder);
  return {
    page: existsSync(index) ? readFileSync(index, 'utf8') : NOT_BUILT,
    hasPage: readAddresses(join(folder, ADDRESSES)),
    files: listFiles(folder),
    stamp,
  };
};

/** Addresses as the router writes them: `/oauth/$provider`, `/chat/{-$id}`. Without the list every address is a page. */
const readAddresses = (file: string): ((path: string) => boolean) => {
  if (!existsSync(file)) return () => true;
  const patterns = z
    .array(z.string())
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .map((address) =>
      address
        .replace(/\/\{-\$\w+\}$/, '(?:/[^/]+)?')
        .replaceAll(/\$\w+/g, '[^/]+')
        .replace(/\/$/, ''),
    );
  const known = new RegExp(`^(?:${patterns.join('|')})/?$`);
  return (path) => known.test(path);
};

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const stampOf = (folder: string): string =>
  `${changedAt(join(folder, INDEX))} ${changedAt(join(folder, HASHED))}`;

/** During a build there is no page, so the previous build stays until it is complete. */
const refresh = (folder: string, site: Site): void => {
  const isThere = existsSync(join(folder, INDEX));
  if (isThere && stampOf(folder) !== site.build.stamp) site.build = readBuild(folder);
};

/**
 * Lists every file, so that no request can name a path on the disk. Contents are not loaded, because they would take 6
 * MB even if unused.
 */
const listFiles = (folder: string): ReadonlyMap<string, StaticFile> => {
  const files = new Map<string, StaticFile>();
  const root = resolve(folder);
  if (!existsSync(root)) return files;
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths) {
    const extension = extname(path);
    const type = TYPES[extension];
    if (type === undefined) continue;
    files.set(path.slice(root.length).replaceAll(sep, '/'), {
      type,
      compressible: COMPRESSIBLE.has(extension),
      read: () => readFile(path),
      bodies: new Map(),
    });
  }
  return files;
};

const answer = async (site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return send(response, 405, 'text/plain; charset=utf-8', Buffer.from('method not allowed'), {
      Allow: 'GET, HEAD',
    });
  }
  const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
  if (path === INDEX || !site.build.files.has(path)) site.refresh();
  const file = path === INDEX ? undefined : site.build.files.get(path);
  if (file !== undefined) return sendFile(request, response, file, path.startsWith(HASHED) ? FOREVER : {});
  if (extname(path) !== '' && path !== INDEX) {
    // During an update another node may already have this file, so proxies must not cache the 404.
    return send(response, 404, 'text/plain; charset=utf-8', Buffer.from('not found'), NOT_KEPT);
  }
  const now = await site.status();
  const html = Buffer.from(embed(site.build.page, now));
  await sendFile(
    request,
    response,
    { type: TYPES['.html'] ?? '', compressible: false, read: async () => html, bodies: new Map() },
    {
      'Content-Security-Policy': contentSecurityPolicy(scriptHostsOf((now ?? {}) as object)),
      ...(NOT_FOR_SEARCH.has(path.replace(/\/$/, '')) && { 'X-Robots-Tag': 'noindex, nofollow' }),
    },
    path === INDEX || site.build.hasPage(path) ? 200 : 404,
  );
};

const NOT_BUILT =
  '<!doctype html><title>Tollgate</title><p>The console has not been built. Run <code>npm start</code>, which builds it.</p>';

/** Embeds the status, which saves the page its first call. `<` is escaped so that nothing in it can end the script. */
const embed = (page: string, status: unknown): string => {
  const json = JSON.stringify(status).replaceAll('<', String.raw`\u003c`);
  return page.replace(/(id="site-status">)[^<]*/, (_, start: string) => start + json);
};

/** For files whose name changes with their content. */
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** `headers` come in addition to the usual ones, or in their place. */
const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<void> => {
  const encoding = file.compressible ? accepted(request) : undefined;
  const body = await bodyOf(file, encoding ?? 'plain');
  send(response, status, file.type, request.method === 'HEAD' ? undefined : body, {
    'Content-Length': String(body.length),
    'Content-Security-Policy': contentSecurityPolicy(),
    'Cache-Control': 'no-cache',
    ...(file.compressible ? { Vary: 'Accept-Encoding' } : {}),
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    ...headers,
  });
};

const accepted = (request: IncomingMessage): Encoding | undefined => {
  const header = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(header)) return 'br';
  return /\bgzip\b/.test(header) ? 'gzip' : undefined;
};

const bodyOf = (file: StaticFile, encoding: Encoding | 'plain'): Promise<Buffer> => {
  let body = file.bodies.get(encoding);
  if (body === undefined) {
    body = file.read().then((bytes) => encoded(bytes, encoding));
    file.bodies.set(encoding, body);
    // The next request tries again.
    body.catch(() => file.bodies.delete(encoding));
  }
  return body;
};

const encoded = async (bytes: Buffer, encoding: Encoding | 'plain'): Promise<Buffer> => {
  if (encoding === 'plain') return bytes;
  return encoding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
    : zip(bytes);
};

const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: Buffer | undefined,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Security-Policy': contentSecurityPolicy(),
    ...pageHeaders,
    ...headers,
  });
  response.end(body);
};
