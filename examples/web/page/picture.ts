import { h } from './dom.js';

/** Kinds of pictures that an `<img>` shows without running anything of them. */
const SHOWN = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/i;

/** A URL that a picture may be loaded from: `https:` without a name or password in it, or `data:` with a picture. */
export const pictureUrl = (src: string): string | undefined => {
  if (!URL.canParse(src)) return undefined;
  const { protocol, username, password } = new URL(src);
  if (protocol === 'https:') return username === '' && password === '' ? src : undefined;
  const [, type = ''] = /^data:([^;,]*)[;,]/i.exec(src) ?? [];
  return SHOWN.test(type) ? src : undefined;
};

/**
 * A picture that a server names; words in its place where it may not, or cannot, be loaded. It is asked for without
 * cookies and without saying from where.
 */
export const picture = (src: string, alt: string, className: string): HTMLElement => {
  const instead = (why: string): HTMLElement => h('span', { class: 'note' }, alt === '' ? '' : `${alt}: ${why}`);
  const url = pictureUrl(src);
  if (url === undefined) return instead('not a picture that may be shown');
  const image = h('img', { alt, class: className, crossorigin: 'anonymous', referrerpolicy: 'no-referrer' });
  image.addEventListener('error', () => image.replaceWith(instead('cannot be loaded')), { once: true });
  image.src = url;
  return image;
};

const srcOf = (icon: unknown): string | undefined =>
  typeof icon === 'object' && icon !== null && 'src' in icon && typeof icon.src === 'string' ? icon.src : undefined;

/**
 * The first icon that may be shown, or nothing. What it belongs to has its name beside it.
 * @param icons as a server gave them, which may be anything
 */
export const iconOf = (icons: unknown): readonly HTMLElement[] => {
  const sources = Array.isArray(icons) ? icons.map(srcOf) : [];
  const src = sources.find((one) => one !== undefined && pictureUrl(one) !== undefined);
  return src === undefined ? [] : [picture(src, '', 'icon')];
};
