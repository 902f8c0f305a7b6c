import { REDACTED } from '../../rx/known-secrets.js';
import { secretForms } from '../../transport/http/secrets.js';
import { SENT_FIELDS, type TellsFields } from '../../transport/sent-fields.js';

/** Revisions of the protocol are said in fields, and by everybody. */
const REVISION = /^\d{4}-\d\d-\d\d$/;

/** A field of each request that is another each time, as a proof may be, is known for the last ones. */
const MOST_FORMS = 300;

/** What went out over a wire in header fields and queries, so that none of it is written down where a server repeats it. */
export class Sent {
  readonly #known = new Set<string>();
  #forms: readonly string[] = [];

  /** Hears what a wire sends from now on, if it says so. */
  follow(wire: object): void {
    (wire as TellsFields)[SENT_FIELDS]?.((fields, url) => {
      for (const form of secretForms(fields, url)) {
        if (REVISION.test(form)) continue;
        // Put last, as what was sent last.
        this.#known.delete(form);
        this.#known.add(form);
      }
      for (const form of this.#known) {
        if (this.#known.size <= MOST_FORMS) break;
        this.#known.delete(form);
      }
      // The longest first: one may be a part of another.
      this.#forms = [...this.#known].sort((a, b) => b.length - a.length);
    });
  }

  /** A text without it. */
  readonly without = (text: string): string =>
    this.#forms.reduce((clean, form) => clean.replaceAll(form, REDACTED), text);
}
