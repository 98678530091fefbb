// What is answered to what the page loads by its private scheme. Pure.
import { type Answer, commonHeaders, errorAnswer } from '../host/answers.ts';
import { type Page, pagePath } from '../host/page.ts';
import { notFound } from '../host/routes.ts';
import { isOurs } from './origin.ts';

/** A file of the page, under its own name and no other; anything else is not found. */
export function answerTo(page: Page, method: string, url: string): Answer {
  const answer = found(page, method, url);
  return { ...answer, headers: { ...commonHeaders, ...answer.headers, 'content-type': answer.contentType } };
}

function found(page: Page, method: string, url: string): Answer {
  try {
    if (method !== 'GET' || !isOurs(url)) throw notFound(url);
    const { pathname, search } = new URL(url);
    return page.answer(`${pagePath}${pathname.slice(1)}${search}`);
  } catch (problem) {
    return errorAnswer(problem);
  }
}
