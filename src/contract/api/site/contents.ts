import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';

/** Content by the operator for all visitors: markdown, HTML, or an address to embed. */
const content = (path: `/api/${string}`, summary: string) =>
  endpoint({ method: 'GET', path, access: 'public', owner: 'none', summary, data: z.string() });

export const readNotice = content('/api/notice', 'The notice; empty when there is none');
export const readAbout = content('/api/about', 'The about page; empty for the built-in one');
export const readHomePage = content('/api/home_page_content', 'The home page; empty for the built-in one');

export const readPanels = endpoint({
  method: 'GET',
  path: '/api/panels',
  access: 'user',
  owner: 'none',
  summary:
    'What the operator shows on the dashboard: addresses, announcements (newest first), questions, and whether services are watched',
  data: z.object({
    addresses: z.array(z.object({ url: z.string(), route: z.string(), description: z.string() })),
    announcements: z.array(z.object({ content: z.string(), date: z.string() })),
    questions: z.array(z.object({ question: z.string(), answer: z.string() })),
    /** Whether `/api/uptime/status` has something to show. */
    has_uptime: z.boolean(),
  }),
});

/** In the words of the family. */
export const uptimeStatus = endpoint({
  method: 'GET',
  path: '/api/uptime/status',
  access: 'public',
  owner: 'none',
  summary:
    'What the status pages named by the operator (Uptime Kuma) say of the services they watch, once a minute',
  data: z.array(
    z.object({
      categoryName: z.string(),
      description: z.string(),
      /** None where the page did not answer. */
      monitors: z.array(
        z.object({
          name: z.string(),
          /** Of the last 24 hours, from 0 to 1. */
          uptime: z.number(),
          /** 0 down, 1 up, 2 pending, 3 maintenance. */
          status: z.number(),
          group: z.string(),
        }),
      ),
    }),
  ),
});

export const checkUpdate = endpoint({
  method: 'GET',
  path: '/api/update',
  access: 'admin',
  owner: 'none',
  summary: 'The latest release, from the configured address',
  data: z.object({
    current: z.string(),
    latest: z.string(),
    is_newer: z.boolean(),
    /** The release notes, markdown. */
    notes: z.string(),
    url: z.string(),
  }),
});
