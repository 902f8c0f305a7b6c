export type { Content } from './fit.js';
export {
  type Budget,
  RENDER_CHECKS,
  renderingOf,
  type Rendering,
  type RenderOptions,
  type Spilled,
} from './options.js';
export { type Outcome, renderBatch, renderResult } from './render.js';
