import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { Handler } from './front-door-deps.ts';
import { publishedSeals, SEALS_PATH } from './published-seals.ts';
import { createProbes, type ProbeDeps } from './probes.ts';

export interface SiteDeps extends ProbeDeps {
  /** A line-by-line parser as in RFC 2046 that reads parameters character by character. */
  readonly api: Handler;
  /** A careless parser: takes the first thing that looks like a boundary or name, and accepts any line end. */
  readonly published: (page: number) => Promise<string>;
  /** Careless in another way: takes the last boundary, header and name, and reads list names as lists. */
  readonly console: Handler;
}

/** Parsers that read forms differently, as servers do. */
export const siteRoutes =
  (deps: SiteDeps) =>
  (isStopping: () => boolean): Handler => {
    const probes = createProbes(deps, isStopping);
    const seals = publishedSeals(deps.published);
    return (request, response, arrival) => {
      const [path = '/'] = (request.url ?? '/').split('?', 1);
      response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
      if (path === SEALS_PATH) return seals(request, response, arrival);
      const isApi = path === '/api' || path.startsWith('/api/');
      const answer = probes.get(path) ?? (isApi ? deps.api : deps.console);
      return answer(request, response, arrival);
    };
  };
