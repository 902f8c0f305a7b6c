// Builds the page, without servers of its own: `npm run build:web`. Serve `dist/page` from anywhere.
import { build } from 'vite';
import { webConfig } from './web-config.js';

await build({ ...webConfig(), logLevel: 'warn' });
