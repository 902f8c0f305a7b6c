import type { Page } from 'playwright-core';

/**
 * Text and fields that stand out too little from what is behind them: WCAG 2.2, 1.4.3 and 1.4.11. What is switched off, and
 * what only screen readers get, need not.
 */
export const faint = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const read = (text: string): Colour => {
      if (context === null) throw new Error('no canvas');
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = text;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = ([red, green, blue, alpha]: Colour, behind: Colour): Colour => {
      const mixed = [red, green, blue].map((part, at) => part * alpha + Number(behind[at]) * (1 - alpha));
      return [Number(mixed[0]), Number(mixed[1]), Number(mixed[2]), 1];
    };
    const behind = (element: Element | null): Colour =>
      element === null
        ? read(matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(18, 18, 18)' : 'white')
        : over(read(getComputedStyle(element).backgroundColor), behind(element.parentElement));
    const luminance = (colour: Colour): number => {
      const [red, green, blue] = colour.slice(0, 3).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue);
    };
    const ratio = (one: Colour, other: Colour): number => {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    const found = new Set<string>();
    const check = (element: Element, what: string, colour: string, ground: Colour, least: number): void => {
      const is = ratio(over(read(colour), ground), ground);
      if (is < least) found.add(`${element.localName}.${element.className}: ${what} ${is.toFixed(2)} of ${least}`);
    };
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest('.unseen, .skip, :disabled, datalist, option') !== null) continue;
      const style = getComputedStyle(element);
      const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
      const isField = element.matches('input, select, textarea');
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (hasText || isField) check(element, 'text', style.color, behind(element), isLarge ? 3 : 4.5);
      if (element.matches('input[placeholder]')) {
        check(element, 'placeholder', getComputedStyle(element, '::placeholder').color, behind(element), 4.5);
      }
      if (isField || element.localName === 'button') {
        const around = behind(element.parentElement);
        const fill = over(read(style.backgroundColor), around);
        // Either of the two makes it seen.
        if (ratio(fill, around) < 3) check(element, 'edge', style.borderColor, around, 3);
      }
    }
    return [...found];
  });

/** What scrolls, and cannot be reached by the keyboard. */
export const unreachable = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowY))
      .filter((element) => element.scrollHeight > element.clientHeight && element.localName !== 'textarea')
      .filter((element) => element.tabIndex < 0 && element.querySelector('a, button, input, summary') === null)
      .map((element) => `${element.localName}.${element.className}`),
  );

/** What is used and has no name. */
export const nameless = async (page: Page): Promise<readonly string[]> => {
  const tree = await page.locator('body').ariaSnapshot();
  return tree
    .split('\n')
    .filter((line) =>
      /- (button|textbox|combobox|checkbox|spinbutton|progressbar|dialog|timer|list|article|img)\b(?! ")/.test(line),
    );
};
