import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

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
  summary: 'What the operator shows on the dashboard: addresses, announcements (newest first), questions',
  data: z.object({
    addresses: z.array(z.object({ url: z.string(), route: z.string(), description: z.string() })),
    announcements: z.array(z.object({ content: z.string(), date: z.string() })),
    questions: z.array(z.object({ question: z.string(), answer: z.string() })),
  }),
});

/** The family shows its uptime monitor here. There is none, but panels expect a list. */
export const uptimeStatus = endpoint({
  method: 'GET',
  path: '/api/uptime/status',
  access: 'public',
  owner: 'none',
  summary: 'Groups of watched services: none are',
  data: z.array(z.never()),
});

export const checkUpdate = endpoint({
  method: 'GET',
  path: '/api/update',
  access: 'admin',
  owner: 'none',
  summary: 'The latest release, as the configured address tells it',
  data: z.object({
    current: z.string(),
    latest: z.string(),
    is_newer: z.boolean(),
    /** The release notes, markdown. */
    notes: z.string(),
    url: z.string(),
  }),
});
