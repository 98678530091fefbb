// The private scheme that the page comes from: its bundled files and nothing else.
import { protocol, type Session } from 'electron';
import type { Page } from '../host/page.ts';
import { scheme } from './origin.ts';
import { answerTo } from './page-answers.ts';

/** Before the app is ready: Chromium learns that the scheme has origins, as https does, and may be trusted as it. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the page's files to the windows of a session. */
export function servePage(session: Session, page: Page): void {
  session.protocol.handle(scheme, ({ method, url }) => {
    const { status, body, headers = {} } = answerTo(page, method, url);
    return new Response(body, { status, headers });
  });
}
