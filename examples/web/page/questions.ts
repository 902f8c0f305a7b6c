import { defer, map } from 'rxjs';
import type { Hooks } from 'rx-mcp';
import { dialog } from './dialog.js';
import { h } from './dom.js';
import { schemaForm } from './schema-form.js';
import { partsOf } from './url.js';

/** A URL as a person should see it: whole, as it will be opened, and with its host emphasised. */
const shownUrl = (url: string): HTMLElement => {
  const { before, host, after } = partsOf(url);
  return h('p', { class: 'url', dir: 'ltr' }, before, h('mark', {}, host), after);
};

/** How this page answers what a server asks: by dialogs. Each may be accepted, declined and cancelled. */
export const questions = (url: string): Hooks => ({
  onElicit: ({ params, server }) =>
    defer(() => {
      const { element, read } = schemaForm(params.requestedSchema);
      return dialog({ server, url, message: params.message, body: [element], accept: 'Send' }).pipe(
        // What is cleared goes along as undefined: else its default would be filled in again.
        map((action) =>
          action === 'accept' ? { action, content: read() as Record<string, string | undefined> } : { action },
        ),
      );
    }),

  onElicitUrl: ({ params, server, warning }) =>
    defer(() => {
      const body = [
        shownUrl(params.url),
        ...(warning === undefined ? [] : [h('p', { class: 'error' }, warning)]),
        h('p', { class: 'note' }, 'It opens in a window of its own, which this page cannot look into.'),
      ];
      return dialog({ server, url, message: params.message, body, accept: 'Open the page' }).pipe(
        map((action) => {
          // Within the click: a browser opens no window otherwise.
          if (action === 'accept') window.open(params.url, '_blank', 'noopener,noreferrer');
          return { action };
        }),
      );
    }),
});
