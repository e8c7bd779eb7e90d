import type { Fetch } from './api.ts';

const headersOf = (lines: string): Headers =>
  new Headers(
    lines
      .trim()
      .split(/\r?\n/)
      .map((line): [string, string] => {
        const [name = '', ...value] = line.split(':');
        return [name, value.join(':').trim()];
      }),
  );

/** A `fetch` for large files that says which part of its body has left, from 0 to 1; the browser's own cannot. */
export const uploading =
  (onSent: (part: number) => void): Fetch =>
  (address, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded / total));
      request.addEventListener('load', () => {
        const { response, status } = request;
        resolve(
          new Response(String(response), { status, headers: headersOf(request.getAllResponseHeaders()) }),
        );
      });
      request.addEventListener('error', () => reject(new TypeError('no answer')));
      request.addEventListener('abort', () => reject(signal?.reason));
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as Blob);
    });
