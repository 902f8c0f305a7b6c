import { byId } from './dom.js';

/** Says something to whoever listens to the page and does not look at it. */
export const announce = (text: string): void => {
  byId('announcer').textContent = text;
};
